import { type ApiKey, list as listCall } from '@sonnenwarte/contract/api-keys/api-keys';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAccountTimes } from '../account/use-account.ts';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import parts from '../blocks/show/section.module.css';
import { Section } from '../blocks/show/section.tsx';
import { read } from '../client/queries.ts';
import { keyActions, keyMaking } from './api-key-actions.tsx';
import styles from './api-keys-section.module.css';

const READ_AGAIN_MS = 15_000;

/** Keys for programs of the user, with what each has called today. */
export function ApiKeysSection() {
  const { t } = useTranslation();
  const { format, timeWithZone } = useAccountTimes();
  const query = useQuery({ ...read(listCall, {}), refetchInterval: READ_AGAIN_MS });
  const { data } = query;
  const keys = data?.keys ?? [];
  return (
    <Section
      title={t('user-center.section.apiKeys')}
      lead={t('api-keys.lead')}
      actions={<ActionButtons table={keyMaking} row={undefined} />}
    >
      <ReadState query={query}>
        <Skeleton height="4rem" />
      </ReadState>
      {data && keys.length === 0 && <p className={parts.none}>{t('api-keys.none')}</p>}
      <ul className={parts.rows}>
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} total={data?.dailyLimit ?? 0} remaining={data?.remaining ?? 0} />
        ))}
      </ul>
      {data && (
        <p className={parts.muted}>
          {t('api-keys.perDay', { count: Math.max(1, data.inverters), total: format.number(data.dailyLimit) })}{' '}
          {t('api-keys.resets', { time: timeWithZone(data.resetsAtMs) })}.{' '}
          <a className={styles.link} href="/docs/api" target="_blank" rel="noreferrer">
            {t('api-keys.docs')}
            <IconExternalLink size={14} aria-hidden="true" />
          </a>{' '}
          {t('api-keys.forHomeAssistant')}
        </p>
      )}
    </Section>
  );
}

interface KeyRowProps {
  readonly apiKey: ApiKey;
  /** Calls of the day that all keys have together, and what is left of them. */
  readonly total: number;
  readonly remaining: number;
}

function KeyRow({ apiKey, total, remaining }: KeyRowProps) {
  const { t } = useTranslation();
  const { format, dateTime, age } = useAccountTimes();
  const { name, prefix, calls, endpoints, createdAtMs, lastUsedMs } = apiKey;
  return (
    <li className={styles.key}>
      <div className={styles.keyHead}>
        <div className={parts.rowText}>
          <span className={parts.rowName}>
            {name}
            <code className={styles.prefix}>{prefix}…</code>
          </span>
          <span className={parts.muted}>
            {t('api-keys.created', { date: dateTime(createdAtMs) })}
            {' · '}
            {lastUsedMs === null ? t('api-keys.neverUsed') : t('api-keys.lastUsed', { age: age(lastUsedMs) })}
          </span>
        </div>
        <ActionButtons table={keyActions} row={apiKey} small named />
      </div>
      <meter
        className={styles.meter}
        min={0}
        max={total}
        high={total * 0.8}
        optimum={0}
        value={calls}
        aria-label={t('api-keys.used', { calls: format.number(calls), total: format.number(total) })}
      />
      <div className={styles.quota}>
        <span>{t('api-keys.used', { calls: format.number(calls), total: format.number(total) })}</span>
        <strong>{t('api-keys.remaining', { remaining: format.number(remaining) })}</strong>
      </div>
      {endpoints.length > 0 && (
        <details className={styles.calls}>
          <summary>{t('api-keys.today')}</summary>
          <table>
            <tbody>
              {endpoints.map((endpoint) => (
                <tr key={endpoint.path}>
                  <th scope="row">
                    <code>{endpoint.path}</code>
                  </th>
                  <td>{format.number(endpoint.calls)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </li>
  );
}
