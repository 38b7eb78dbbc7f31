import type { UserInfo } from '@sonnenwarte/contract/accounts/own-account';
import { LEVEL, type Level } from '@sonnenwarte/contract/levels';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccount } from '../account/use-account.ts';
import { ApiKeysSection } from '../api-keys/api-keys-section.tsx';
import { showEdges } from '../blocks/list/edge-shadow.ts';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { ChannelsSection } from '../notifications/channels-section.tsx';
import { useRouteLabel } from '../tabs/route-label.ts';
import { CancelSection } from './cancel-section.tsx';
import { InstallerSection } from './installer-section.tsx';
import { MqttSection } from './mqtt-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { PreferencesSection } from './preferences-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { SignUpCodeSection } from './sign-up-code-section.tsx';
import styles from './user-center.module.css';

const sections = [
  'profile',
  'installer',
  'password',
  'preferences',
  'sessions',
  'notifications',
  'apiKeys',
  'mqtt',
  'signUpCode',
  'cancel',
] as const;
type SectionName = (typeof sections)[number];

const idOf = (name: SectionName): string => `user-center-${name}`;

const contents: Record<SectionName, (account: UserInfo) => ReactNode> = {
  profile: (account) => <ProfileSection account={account} />,
  installer: () => <InstallerSection />,
  password: () => <PasswordSection />,
  preferences: (account) => <PreferencesSection account={account} />,
  sessions: () => <SessionsSection />,
  notifications: () => <ChannelsSection />,
  apiKeys: () => <ApiKeysSection />,
  mqtt: (account) => <MqttSection user={account.user} />,
  signUpCode: (account) => <SignUpCodeSection level={account.access} />,
  cancel: (account) => <CancelSection user={account.user} />,
};

/** Levels that see a section; all see those that are not listed. */
const seenBy: Partial<Record<SectionName, readonly Level[]>> = {
  installer: [LEVEL.endUser],
  signUpCode: [LEVEL.installer, LEVEL.agent],
};

/** Everything that an account decides for itself. */
export function UserCenterScreen() {
  const label = useRouteLabel();
  const account = useAccount();
  if (!account) {
    return (
      <DetailScreen title={label('user-center')}>
        <LoadingSkeleton>
          <Skeleton height="12rem" />
          <Skeleton height="8rem" />
        </LoadingSkeleton>
      </DetailScreen>
    );
  }
  const shown = sections.filter((name) => seenBy[name]?.includes(account.access) ?? true);
  return (
    <DetailScreen title={label('user-center')}>
      <div className={styles.screen}>
        <Index shown={shown} />
        <div className={styles.sections}>
          {shown.map((name) => (
            <div key={name} id={idOf(name)} className={styles.section} tabIndex={-1}>
              {contents[name](account)}
            </div>
          ))}
        </div>
      </div>
    </DetailScreen>
  );
}

function Index({ shown }: { shown: readonly SectionName[] }) {
  const { t } = useTranslation();
  const current = useCurrentSection(shown);
  const show = (name: SectionName) => {
    const section = document.getElementById(idOf(name));
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    section?.scrollIntoView({ behavior: isStill ? 'auto' : 'smooth', block: 'start' });
    section?.focus({ preventScroll: true });
  };
  return (
    <nav ref={showEdges} className={styles.index} aria-label={t('user-center.index')}>
      {shown.map((name) => (
        <button
          key={name}
          type="button"
          className={styles.entry}
          data-danger={name === 'cancel' || undefined}
          aria-current={name === current || undefined}
          onClick={() => show(name)}
        >
          {t(`user-center.section.${name}`)}
        </button>
      ))}
    </nav>
  );
}

/** The section that stands highest in the window. */
function useCurrentSection(shown: readonly SectionName[]): SectionName | undefined {
  const [current, setCurrent] = useState<SectionName>();
  const names = shown.join(' ');
  useEffect(() => {
    const inView = new Set<string>();
    const observed = names.split(' ') as SectionName[];
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (entry.isIntersecting) inView.add(entry.target.id);
          else inView.delete(entry.target.id);
        }
        setCurrent(observed.find((name) => inView.has(idOf(name))));
      },
      { rootMargin: '-120px 0px -40% 0px' },
    );
    for (const name of observed) {
      const section = document.getElementById(idOf(name));
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [names]);
  return current ?? shown[0];
}
