import { Button, useMantineColorScheme } from '@mantine/core';
import { language as languageCall, logout, type UserInfo } from '@sonnenwarte/contract/accounts/accounts';
import { IconLogout } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/segmented.tsx';
import { call } from '../client/call.ts';
import { go } from '../router/navigation.ts';
import styles from './account-panel.module.css';
import { LanguageSelect } from './language-select.tsx';

const schemes = ['light', 'dark', 'auto'] as const;

async function signOut(): Promise<void> {
  await call(logout, {}, { quiet: true }).catch(() => undefined);
  go('/login');
}

/** Who is signed in; language, theme, sign out. */
export function AccountPanel({ account }: { account: UserInfo | undefined }) {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
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
        value={colorScheme}
        onChange={setColorScheme}
        options={schemes.map((scheme) => ({ value: scheme, label: t(`shell.themes.${scheme}`) }))}
      />
      <Button
        variant="default"
        className={styles.signOut ?? ''}
        leftSection={<IconLogout size={16} aria-hidden="true" />}
        onClick={() => void signOut()}
      >
        {t('shell.signOut')}
      </Button>
    </div>
  );
}
