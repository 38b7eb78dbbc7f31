import { LEVEL } from '@sonnenwarte/contract/levels';
import { start } from '@sonnenwarte/contract/view-as/view-as';
import { lazy, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermit } from '../blocks/actions/can.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { lazyComponent } from '../lazy-screen.ts';
import { keepAnswers } from '../live/kept-answers.ts';
import { useLineBroken } from '../live/line-state.ts';
import { useDocumentTitle } from '../router/document-title.ts';
import { usePaletteKey, usePaletteOpened } from '../search/palette-state.ts';
import { useGlobalState } from '../state/global-state.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useActiveTab, useHasTabs } from '../tabs/tab-state.ts';
import { CONTENT_ID } from '../tabs/tabs.ts';
import { useAddressTab, useTabLoading } from '../tabs/workspace.ts';
import { lazyPart } from '../with-texts.ts';
import type { AccountAction } from './account-panel.tsx';
import { useGuardedKeys, wantsGuard } from './guarded-keys.ts';
import { Header } from './header.tsx';
import { SideBar } from './menu/side-bar.tsx';
import { usePreload } from './preload.ts';
import { LazyPart } from './screen-boundary.tsx';
import styles from './shell.module.css';
import { TabOutlet } from './tabs/tab-outlet.tsx';
import { useSession } from './use-session.ts';

const PhoneHeader = lazyComponent(async () => (await import('./phone-bars.tsx')).PhoneHeader);
const PhoneBar = lazyComponent(async () => (await import('./phone-bars.tsx')).PhoneBar);

/** Fetches what a phone has around its screens. */
export const fetchPhoneBars = () => Promise.all([PhoneHeader.preload(), PhoneBar.preload()]);

const Palette = lazy(async () => ({ default: (await import('../search/palette.tsx')).Palette }));
const KeysOffer = lazy(async () => ({ default: (await import('./keys-offer.tsx')).KeysOffer }));
const ViewAsBanner = lazy(async () => ({ default: (await import('../view-as/view-as-banner.tsx')).ViewAsBanner }));
const ViewAsStart = lazy(async () => ({ default: (await import('../view-as/start-dialog.tsx')).ViewAsStart }));
const AccountDrawer = lazyPart(
  'account-drawer',
  async () => (await import('../user-center/account-drawer.tsx')).AccountDrawer,
);

/** Nothing is laid over the first screens that somebody sees. */
const SCREENS_BEFORE_OFFER = 3;

/** How many screens have been shown since the portal was opened. */
function useSeenScreens(name: string | undefined): number {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  if (name !== undefined && !seen.has(name)) setSeen(new Set([...seen, name]));
  return seen.size;
}

/** A thing of its own: requests begin and end all the time, and nothing else of the frame changes with them. */
function Waiting() {
  const waiting = useGlobalState((state) => state.globalLoading || state.loading > 0);
  return waiting && <div className={styles.waiting} aria-hidden="true" />;
}

/** The frame of everything behind the sign-in. */
export function Shell() {
  const { t } = useTranslation();
  const account = useSession();
  const ready = useAddressTab();
  useTabLoading();
  usePaletteKey();
  usePreload();
  useEffect(keepAnswers, []);
  const searching = usePaletteOpened();
  const broken = useLineBroken();
  const phone = useIsPhone();
  const label = useRouteLabel();
  const viewAs = useGlobalState((state) => state.viewAs);
  const active = useActiveTab();
  const hasTabs = useHasTabs();
  const guarded = wantsGuard(account);
  const [drawer, setDrawer] = useState<AccountAction>();
  const mayView = usePermit()(start);
  const settledIn = useSeenScreens(active?.name) >= SCREENS_BEFORE_OFFER;
  const close = () => setDrawer(undefined);

  useGuardedKeys(guarded);
  useDocumentTitle(active && (active.title ?? label(active.name)));

  return (
    <div className={styles.shell} data-phone={phone || undefined}>
      <a href={`#${CONTENT_ID}`} className={styles.skip}>
        {t('shell.skipToContent')}
      </a>
      <Waiting />
      {!phone && <SideBar activeName={active?.name} />}
      <div className={styles.main}>
        {phone ? (
          <PhoneHeader account={account} />
        ) : (
          <Header account={account} active={active} guarded={guarded} onAction={setDrawer} />
        )}
        {viewAs && (
          <LazyPart>
            <ViewAsBanner />
          </LazyPart>
        )}
        <main id={CONTENT_ID} tabIndex={-1} className={styles.content} data-stale={broken || undefined}>
          {ready && <TabOutlet withStrip={!phone && hasTabs} />}
        </main>
      </div>
      {phone && <PhoneBar account={account} activeName={active?.name} onAction={setDrawer} />}
      <LazyPart>{searching && <Palette />}</LazyPart>
      <LazyPart>
        {!phone && account?.keysGuarded === null && !viewAs && settledIn && <KeysOffer />}
        {account?.access === LEVEL.integrator && drawer === 'manage' && <AccountDrawer opened onClose={close} />}
        {mayView && drawer === 'viewAs' && <ViewAsStart of={mayView} onClose={close} />}
      </LazyPart>
    </div>
  );
}
