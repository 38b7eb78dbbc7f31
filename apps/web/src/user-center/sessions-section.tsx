import { type SessionInfo, sessions as sessionsCall } from '@sonnenwarte/contract/user-center/user-center';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAccountTimes } from '../account/use-account.ts';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { Badge } from '../blocks/show/badge.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import styles from '../blocks/show/section.module.css';
import { Section } from '../blocks/show/section.tsx';
import { read } from '../client/queries.ts';
import { sessionActions, sessionsActions } from './session-actions.tsx';

const handheld: readonly string[] = ['iPhone', 'iPad', 'Android'];

/** Where the account is signed in. */
export function SessionsSection() {
  const { t } = useTranslation();
  const query = useQuery(read(sessionsCall, {}));
  const { data } = query;
  const list = data?.sessions ?? [];
  const others = list.filter(({ current }) => !current);
  return (
    <Section
      title={t('user-center.section.sessions')}
      lead={others.length === 0 && data ? t('user-center.sessions.onlyThis') : t('user-center.sessions.lead')}
      actions={<ActionButtons table={sessionsActions} row={list} />}
    >
      <ReadState query={query}>
        <Skeleton height="3rem" />
        <Skeleton height="3rem" />
      </ReadState>
      <ul className={styles.rows}>
        {list.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </Section>
  );
}

/** The device of a session in words. */
function useSessionName(): (session: SessionInfo) => string {
  const { t } = useTranslation();
  return ({ browser, system }) => {
    if (browser === '' && system === '') return t('user-center.sessions.unknown');
    if (browser === '' || system === '') return browser || system;
    return t('user-center.sessions.device', { browser, system });
  };
}

function SessionRow({ session }: { session: SessionInfo }) {
  const { t } = useTranslation();
  const { dateTime, age } = useAccountTimes();
  const name = useSessionName()(session);
  const Icon = handheld.includes(session.system) ? IconDeviceMobile : IconDeviceDesktop;
  const facts = [
    session.address,
    t('user-center.sessions.signedIn', { time: dateTime(session.signedInMs) }),
    session.current ? '' : t('user-center.sessions.lastSeen', { age: age(session.lastSeenMs) }),
  ];
  return (
    <li className={styles.row}>
      <Icon size={22} stroke={1.6} className={styles.rowIcon} aria-hidden="true" />
      <div className={styles.rowText}>
        <span className={styles.rowName}>
          {name}
          {session.current && <Badge tone="good">{t('user-center.sessions.this')}</Badge>}
        </span>
        <span className={styles.muted}>{facts.filter((fact) => fact !== '').join(' · ')}</span>
      </div>
      <ActionButtons table={sessionActions} row={{ ...session, name }} small named />
    </li>
  );
}
