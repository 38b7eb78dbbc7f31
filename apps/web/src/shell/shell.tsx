import { info } from '@sonnenwarte/contract/accounts/accounts';
import { routes } from '@sonnenwarte/contract/routes';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../blocks/use-is-phone.ts';
import { read } from '../client/queries.ts';
import { hasScreen } from '../screens.ts';
import { globalState, useGlobalState } from '../state/global-state.ts';
import { useDocumentTitle } from './document-title.ts';
import { Header } from './header.tsx';
import { menuFor } from './menu.ts';
import { PhoneBar, PhoneHeader } from './phone-bars.tsx';
import { useRouteLabel } from './route-label.ts';
import styles from './shell.module.css';
import { SideBar } from './side-bar.tsx';
import { TabOutlet } from './tab-outlet.tsx';
import { useTabs } from './tab-state.ts';
import { useAddressTab, useTabLoading } from './workspace.ts';

/** The frame of everything behind the sign-in. */
export function Shell() {
  const { t } = useTranslation();
  const ready = useAddressTab();
  useTabLoading();
  const phone = useIsPhone();
  const label = useRouteLabel();
  const access = useGlobalState((state) => state.access);
  const waiting = useGlobalState((state) => state.globalLoading || state.loading > 0);
  const { data: account } = useQuery(read(info, {}, { inPlace: false }));
  const { list, activeId } = useTabs();
  const active = list.find((tab) => tab.id === activeId);

  useEffect(() => globalState.set({ navigation: menuFor(routes, access, hasScreen) }), [access]);
  useDocumentTitle(active && (active.title ?? label(active.name)));

  return (
    <div className={styles.shell} data-phone={phone || undefined}>
      <a href="#content" className={styles.skip}>
        {t('shell.skipToContent')}
      </a>
      {waiting && <div className={styles.waiting} aria-hidden="true" />}
      {!phone && <SideBar activeName={active?.name} />}
      <div className={styles.main}>
        {phone ? <PhoneHeader account={account} /> : <Header account={account} active={active} />}
        <main id="content" tabIndex={-1} className={styles.content}>
          {ready && <TabOutlet />}
        </main>
      </div>
      {phone && <PhoneBar account={account} activeName={active?.name} />}
    </div>
  );
}
