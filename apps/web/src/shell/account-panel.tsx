import { language as languageCall, type UserInfo } from '@sonnenwarte/contract/accounts/own-account';
import { LEVEL, type Level } from '@sonnenwarte/contract/levels';
import { passage } from '@sonnenwarte/contract/routes';
import { start } from '@sonnenwarte/contract/view-as/view-as';
import { IconEye, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { savePreferences } from '../account/preferences.ts';
import { signOut } from '../account/sign-out.ts';
import { Can } from '../blocks/actions/can.tsx';
import { LanguageSelect } from '../blocks/form/language-select.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Button } from '../blocks/show/button.tsx';
import { Copyright } from '../blocks/show/copyright.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { BrandLinks } from '../brand/brand-links.tsx';
import { call } from '../client/call.ts';
import { hasScreen } from '../screens.ts';
import { useGlobalState } from '../state/global-state.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { pathOf } from '../tabs/tab-context.ts';
import { colourSchemes, setColourScheme, useColourScheme } from '../theme/colour-scheme.ts';
import styles from './account-panel.module.css';

const openTo = (access: Level): boolean => passage(pathOf('user-center'), access).to === 'screen';

/** What opens from the panel: an integrator, who has no user centre, manages its account; an administrator sees as somebody else. */
export type AccountAction = 'manage' | 'viewAs';

interface AccountPanelProps {
  account: UserInfo | undefined;
  /** Called when the panel leads elsewhere. */
  onLeave: () => void;
  onAction: (action: AccountAction) => void;
}

/** Who is signed in, and the way to the account's settings; language, theme, sign out. */
export function AccountPanel({ account, onLeave, onAction }: AccountPanelProps) {
  const { t } = useTranslation();
  const viewing = useGlobalState(({ viewAs }) => viewAs !== null);
  const choose = (action: AccountAction) => () => {
    onLeave();
    onAction(action);
  };
  const label = useRouteLabel();
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
      {account && openTo(account.access) && hasScreen('user-center') && (
        <ScreenLink to="user-center" className={styles.link ?? ''} onClick={onLeave}>
          <IconUserCircle size={18} stroke={1.7} aria-hidden="true" />
          {label('user-center')}
        </ScreenLink>
      )}
      {account?.access === LEVEL.integrator && (
        <button type="button" className={styles.link} onClick={choose('manage')}>
          <IconUserCircle size={18} stroke={1.7} aria-hidden="true" />
          {t('shell.manageAccount')}
        </button>
      )}
      {account?.access === LEVEL.admin && !viewing && (
        <Can of={start}>
          <button type="button" className={styles.link} onClick={choose('viewAs')}>
            <IconEye size={18} stroke={1.7} aria-hidden="true" />
            {t('view-as.start')}
          </button>
        </Can>
      )}
      <LanguageSelect
        onChosen={(language) => void call(languageCall, { language }, { quiet: true }).catch(() => undefined)}
      />
      <Segmented
        label={t('shell.theme')}
        value={scheme}
        onChange={(theme) => {
          setColourScheme(theme);
          void savePreferences({ theme });
        }}
        options={colourSchemes.map((each) => ({ value: each, label: t(`shell.themes.${each}`) }))}
      />
      <Button onClick={() => void signOut()}>
        <IconLogout size={16} aria-hidden="true" />
        {t('shell.signOut')}
      </Button>
      <BrandLinks />
      <span className={styles.copyright}>
        <Copyright />
      </span>
    </div>
  );
}
