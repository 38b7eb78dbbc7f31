import type { UserInfo } from '@sonnenwarte/contract/accounts/own-account';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { savePreferences } from '../account/preferences.ts';
import { LanguageSelect } from '../blocks/form/language-select.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Toggle } from '../blocks/form/toggle.tsx';
import { Section } from '../blocks/show/section.tsx';
import { colourSchemes, setColourScheme, useColourScheme } from '../theme/colour-scheme.ts';
import { TimeZoneField } from './time-zone-field.tsx';
import styles from './user-center.module.css';

/** How the portal looks and behaves; each choice holds at once. */
export function PreferencesSection({ account }: { account: UserInfo }) {
  const { t } = useTranslation();
  const scheme = useColourScheme();
  const timeZoneId = useId();
  return (
    <Section title={t('user-center.section.preferences')} lead={t('user-center.preferences.lead')}>
      <div className={styles.choices}>
        <ChoiceRow label={t('common.language')}>
          <LanguageSelect onChosen={(language) => void savePreferences({ language })} />
        </ChoiceRow>
        <ChoiceRow label={t('shell.theme')}>
          <Segmented
            label={t('shell.theme')}
            value={scheme}
            onChange={(theme) => {
              setColourScheme(theme);
              void savePreferences({ theme });
            }}
            options={colourSchemes.map((each) => ({ value: each, label: t(`shell.themes.${each}`) }))}
          />
        </ChoiceRow>
        <ChoiceRow
          label={t('user-center.preferences.timeZone')}
          labelFor={timeZoneId}
          hint={t('user-center.preferences.timeZoneHint')}
        >
          <TimeZoneField
            id={timeZoneId}
            value={account.timeZone}
            onChange={(timeZone) => void savePreferences({ timeZone })}
          />
        </ChoiceRow>
        <ChoiceRow label={t('user-center.preferences.units')}>
          <Segmented
            label={t('user-center.preferences.units')}
            value={account.units}
            onChange={(units) => void savePreferences({ units })}
            options={(['metric', 'imperial'] as const).map((each) => ({
              value: each,
              label: t(`user-center.preferences.${each}`),
            }))}
          />
        </ChoiceRow>
        <ChoiceRow label={t('user-center.preferences.keys')} hint={t('user-center.preferences.keysHint')}>
          <Toggle
            label={t('user-center.preferences.keysGuarded')}
            checked={account.keysGuarded !== false}
            onChange={(keysGuarded) => void savePreferences({ keysGuarded })}
          />
        </ChoiceRow>
      </div>
    </Section>
  );
}

interface ChoiceRowProps {
  label: string;
  labelFor?: string;
  hint?: string;
  children: ReactNode;
}

function ChoiceRow({ label, labelFor, hint, children }: ChoiceRowProps) {
  return (
    <div className={styles.choice}>
      <div className={styles.choiceName}>
        {labelFor === undefined ? <span>{label}</span> : <label htmlFor={labelFor}>{label}</label>}
        {hint !== undefined && <p>{hint}</p>}
      </div>
      <div className={styles.choiceControl}>{children}</div>
    </div>
  );
}
