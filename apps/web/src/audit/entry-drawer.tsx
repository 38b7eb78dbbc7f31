import type { AuditRow, detail } from '@sonnenwarte/contract/audit/audit';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { PropertyList } from '../blocks/show/property-list.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read } from '../client/queries.ts';
import { formatTimeSeconds, localDay } from '../format/dates.ts';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './audit.module.css';
import { useAuditText } from './audit-text.ts';
import { changesOf } from './changes.ts';

/** One entry with all that is known of it, before and after side by side. */
export function EntryDrawer({ row, of, onClose }: ActionProps<AuditRow, typeof detail>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const text = useAuditText();
  const entry = useQuery(read(of, { id: row.id }));
  const named = row.recordName || row.recordID;
  return (
    <Dialog title={t('audit.detail.title', { id: row.id })} opened onClose={onClose} shape="drawer" wide>
      <PropertyList
        items={[
          { label: t('audit.field.action'), value: text.action(row.action) },
          {
            label: t('audit.field.atMs'),
            value: `${format.day(localDay(row.atMs, localZone()))}, ${formatTimeSeconds(row.atMs, localZone(), format.locale)}`,
          },
          {
            label: t('audit.field.actor'),
            value:
              row.actor === ''
                ? t('audit.detail.server')
                : [row.actor, text.level(row.actorLevel)].filter(Boolean).join(' · '),
          },
          {
            label: t('audit.field.recordName'),
            value: [text.record(row.recordKind), named].filter(Boolean).join(' · '),
          },
          { label: t('audit.field.recordID'), value: <code className={styles.code}>{row.recordID}</code> },
          { label: t('audit.field.address'), value: row.address },
          {
            label: t('audit.field.requestID'),
            value: row.requestID && <code className={styles.code}>{row.requestID}</code>,
          },
          ...(entry.data
            ? [{ label: t('audit.field.hash'), value: <code className={styles.code}>{entry.data.hash}</code> }]
            : []),
          {
            label: t('audit.field.userAgent'),
            value: row.userAgent && (
              <>
                {row.device}
                <span className={styles.agent}>{row.userAgent}</span>
              </>
            ),
          },
        ]}
      />
      <section className={styles.changes}>
        <h3>{t('audit.detail.changes')}</h3>
        <ReadState query={entry}>
          <Skeleton height="6rem" />
        </ReadState>
        {entry.data && <Changes action={row.action} before={entry.data.before} after={entry.data.after} />}
      </section>
    </Dialog>
  );
}

type Values = Record<string, unknown> | null;

function Changes({ action, before, after }: { action: string; before: Values; after: Values }) {
  const { t } = useTranslation();
  const text = useAuditText();
  const changes = changesOf(before, after);
  if (changes.length === 0) return <p className={styles.none}>{t('audit.detail.noChanges')}</p>;
  return (
    <table className={styles.sides}>
      <thead>
        <tr>
          <th scope="col">{t('audit.detail.field')}</th>
          <th scope="col">{t('audit.field.before')}</th>
          <th scope="col">{t('audit.field.after')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.field} data-changed={change.changed || undefined}>
            <th scope="row">
              {text.field(action, change.field)}
              {change.changed && <span className={styles.mark}>{t('audit.detail.changed')}</span>}
            </th>
            <td>{text.value(change.before)}</td>
            <td>{text.value(change.after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
