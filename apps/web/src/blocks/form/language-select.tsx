import { isLanguage } from '@sonnenwarte/contract/languages';
import { languageNames, phraseLanguages } from '@sonnenwarte/phrases/languages';
import { IconLanguage } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { showLanguage } from '../../language/i18n.ts';
import { globalState, useGlobalState } from '../../state/global-state.ts';
import { whileGlobalLoading } from '../../state/loading.ts';
import styles from './language-select.module.css';

interface LanguageSelectProps {
  /** Called with the chosen language once it is shown. */
  onChosen?: (language: keyof typeof languageNames) => void;
}

/** All interface languages, each by its own name. */
export function LanguageSelect({ onChosen }: LanguageSelectProps) {
  const { t } = useTranslation();
  const id = useId();
  const language = useGlobalState((state) => state.language);
  return (
    <div className={styles.select}>
      <IconLanguage size={18} aria-hidden="true" />
      <label htmlFor={id} className="visually-hidden">
        {t('common.language')}
      </label>
      <select
        id={id}
        value={language}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          if (!isLanguage(chosen)) return;
          void whileGlobalLoading(() => showLanguage(chosen)).then(() => {
            if (globalState.get().language === chosen) onChosen?.(chosen);
          });
        }}
      >
        {phraseLanguages.map((each) => (
          <option key={each} value={each} lang={each.replace('_', '-')}>
            {languageNames[each]}
          </option>
        ))}
      </select>
    </div>
  );
}
