import { type ApiKey, create, list as listCall, revoke } from '@sonnenwarte/contract/api-keys/api-keys';
import { IconExternalLink, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/button.tsx';
import { ConfirmAction } from '../blocks/confirm-action.tsx';
import { CopyField } from '../blocks/copy-field.tsx';
import { useEndpointForm } from '../blocks/endpoint-form.ts';
import { TextField } from '../blocks/fields.tsx';
import { FormDialog } from '../blocks/form-dialog.tsx';
import { Skeleton } from '../blocks/loading.tsx';
import { ReadState } from '../blocks/read-state.tsx';
import { ShownOnce } from '../blocks/shown-once.tsx';
import { read, useWrite } from '../client/queries.ts';
import styles from './api-keys-section.module.css';
import { Section } from './section.tsx';
import { useAccountTimes } from './use-account.ts';
import shared from './user-center.module.css';

const READ_AGAIN_MS = 15_000;

/** Keys for programs of the user, with what each has called today. */
export function ApiKeysSection() {
  const { t } = useTranslation();
  const { format, timeWithZone } = useAccountTimes();
  const query = useQuery({ ...read(listCall, {}), refetchInterval: READ_AGAIN_MS });
  const { data } = query;
  const [making, setMaking] = useState(false);
  const [doomed, setDoomed] = useState<ApiKey>();
  const revocation = useWrite(revoke, { inPlace: true });
  const keys = data?.keys ?? [];
  return (
    <Section
      title={t('user-center.section.apiKeys')}
      lead={t('api-keys.lead')}
      actions={
        <Button onClick={() => setMaking(true)}>
          <IconPlus size={16} aria-hidden="true" />
          {t('api-keys.action.create')}
        </Button>
      }
    >
      <ReadState query={query}>
        <Skeleton height="4rem" />
      </ReadState>
      {data && keys.length === 0 && <p className={shared.none}>{t('api-keys.none')}</p>}
      <ul className={shared.rows}>
        {keys.map((key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            total={data?.dailyLimit ?? 0}
            remaining={data?.remaining ?? 0}
            onRevoke={() => setDoomed(key)}
          />
        ))}
      </ul>
      {data && (
        <p className={shared.muted}>
          {t('api-keys.perDay', { count: Math.max(1, data.inverters), total: format.number(data.dailyLimit) })}{' '}
          {t('api-keys.resets', { time: timeWithZone(data.resetsAtMs) })}.{' '}
          <a className={styles.link} href="/docs/api" target="_blank" rel="noreferrer">
            {t('api-keys.docs')}
            <IconExternalLink size={14} aria-hidden="true" />
          </a>
        </p>
      )}
      {making && <KeyForm onClose={() => setMaking(false)} />}
      <ConfirmAction
        title={t('api-keys.ask.revoke.title', { name: doomed?.name ?? '' })}
        opened={doomed !== undefined}
        onClose={() => setDoomed(undefined)}
        confirmLabel={t('api-keys.action.revoke')}
        danger
        onConfirm={() => revocation.mutateAsync({ id: doomed?.id ?? '' })}
      >
        <p>{t('api-keys.ask.revoke.text')}</p>
      </ConfirmAction>
    </Section>
  );
}

interface KeyRowProps {
  readonly apiKey: ApiKey;
  /** Calls of the day that all keys have together, and what is left of them. */
  readonly total: number;
  readonly remaining: number;
  readonly onRevoke: () => void;
}

function KeyRow({ apiKey, total, remaining, onRevoke }: KeyRowProps) {
  const { t } = useTranslation();
  const { format, dateTime, age } = useAccountTimes();
  const { name, prefix, calls, endpoints, createdMs, lastUsedMs } = apiKey;
  return (
    <li className={styles.key}>
      <div className={styles.keyHead}>
        <div className={shared.rowText}>
          <span className={shared.rowName}>
            {name}
            <code className={styles.prefix}>{prefix}…</code>
          </span>
          <span className={shared.muted}>
            {t('api-keys.created', { date: dateTime(createdMs) })}
            {' · '}
            {lastUsedMs === null ? t('api-keys.neverUsed') : t('api-keys.lastUsed', { age: age(lastUsedMs) })}
          </span>
        </div>
        <Button small onClick={onRevoke} aria-label={`${t('api-keys.action.revoke')}: ${name}`}>
          {t('api-keys.action.revoke')}
        </Button>
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

/** Names a new key, then shows it, this once. */
function KeyForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [key, setKey] = useState<string>();
  const form = useEndpointForm(create, {
    initialValues: { name: '' },
    onDone: (result) => setKey(result.key),
  });
  if (key !== undefined) {
    return (
      <ShownOnce title={t('api-keys.shown')} closeLabel={t('api-keys.close')} onClose={onClose}>
        <CopyField label={t('api-keys.shown')} value={key} hint={t('api-keys.shownHint')} />
      </ShownOnce>
    );
  }
  return (
    <FormDialog form={form} title={t('api-keys.action.create')} opened onClose={onClose} submitLabel={t('api-keys.action.create')}>
      <TextField form={form} name="name" label={t('api-keys.name')} hint={t('api-keys.nameHint')} maxLength={32} />
    </FormDialog>
  );
}
