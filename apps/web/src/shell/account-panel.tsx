import { language as languageCall, logout, type UserInfo } from '@sonnenwarte/contract/accounts/accounts';
import { IconLogout } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/button.tsx';
import { Segmented } from '../blocks/segmented.tsx';
import { call } from '../client/call.ts';
import { go } from '../router/navigation.ts';
import { colourSchemes, setColourScheme, useColourScheme } from '../theme/colour-scheme.ts';
import styles from './account-panel.module.css';
import { LanguageSelect } from './language-select.tsx';

async function signOut(): Promise<void> {
  await call(logout, {}, { quiet: true }).catch(() => undefined);
  go('/login');
}

/** Who is signed in; language, theme, sign out. */
export function AccountPanel({ account }: { account: UserInfo | undefined }) {
  const { t } = useTranslation();
  const scheme = useColourScheme();
  return (
    <div className={styles.panel}>
      {account && (
        <div className={styles.who}>
          <strong>{account.name || account.user}</strong>
          <span>{account.email}</span>
          <span>
            {t(`levels.${account.access}`)}
            {account.organisation !== '' && ` · ${account.organisation}`}
          </span>
        </div>
      )}
      <LanguageSelect
        onChosen={(language) => void call(languageCall, { language }, { quiet: true }).catch(() => undefined)}
      />
      <Segmented
        label={t('shell.theme')}
        value={scheme}
        onChange={setColourScheme}
        options={colourSchemes.map((each) => ({ value: each, label: t(`shell.themes.${each}`) }))}
      />
      <Button onClick={() => void signOut()}>
        <IconLogout size={16} aria-hidden="true" />
        {t('shell.signOut')}
      </Button>
    </div>
  );
}
