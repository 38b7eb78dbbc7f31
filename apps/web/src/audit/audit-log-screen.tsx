import { auditActionNames } from '@sonnenwarte/contract/audit/actions';
import {
  type AuditLog,
  accountLog,
  auditContentType,
  auditRecordKinds,
  exportAccountLog,
  exportOperationLog,
  exportPlatformLog,
  operationLog,
  platformLog,
} from '@sonnenwarte/contract/audit/audit';
import { levels } from '@sonnenwarte/contract/levels';
import type { RouteName } from '@sonnenwarte/contract/routes';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { DayRangeFilter } from '../blocks/list/day-range-filter.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch, SearchFilter, SearchInFilter, SelectFilter } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { type List, useList } from '../blocks/list/use-list.ts';
import { localZone } from '../format/local-zone.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import styles from './audit.module.css';
import { auditActions } from './audit-actions.tsx';
import { type AuditText, useAuditText } from './audit-text.ts';

interface Log {
  readonly route: RouteName;
  readonly list: typeof accountLog | typeof operationLog | typeof platformLog;
  readonly file: typeof exportAccountLog | typeof exportOperationLog | typeof exportPlatformLog;
  /** Features whose actions this log holds. */
  readonly features: readonly string[];
}

const logs = {
  account: {
    route: 'log-audit-account',
    list: accountLog,
    file: exportAccountLog,
    features: [
      'accounts',
      'sign-up',
      'user-center',
      'api-keys',
      'notifications',
      'user-management',
      'members',
      'view-as',
    ],
  },
  operation: {
    route: 'log-audit-operation',
    list: operationLog,
    file: exportOperationLog,
    features: [],
  },
  platform: { route: 'platform-log', list: platformLog, file: exportPlatformLog, features: ['platform', 'deletions'] },
} as const satisfies Record<AuditLog, Log>;

type AuditList = (typeof logs)[AuditLog]['list'];

const shownFields = (text: AuditText): readonly ShownField<AuditList>[] => [
  { field: 'action', card: 'title', cell: (row) => text.action(row.action) },
  { field: 'atMs', card: 'foot' },
  { field: 'actor', card: 'aside', cell: (row, plain) => (row.actor === '' ? text.server : plain) },
  { field: 'actorLevel', optional: true, cell: (row) => text.level(row.actorLevel) || '–' },
  {
    field: 'recordName',
    card: 'foot',
    cell: (row) => (
      <>
        <span className={styles.kind}>{text.record(row.recordKind)}</span> {row.recordName}
      </>
    ),
  },
  { field: 'address' },
  { field: 'userAgent', cell: (row) => row.device || '–' },
  { field: 'requestID', optional: true, cell: (_, plain) => <code className={styles.code}>{plain}</code> },
];

/** What one call did stands together. */
const byRequest = ({ requestID }: { requestID: string }): string => requestID;

/** One of the three logs: who did what, when, from where, to which record. */
export function AuditLogScreen({ log }: { log: AuditLog }): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const text = useAuditText();
  const { list, file, route, features } = logs[log];
  const entries: List<AuditList> = useList(list, { refreshMs: 30_000 });
  const shown = useMemo(() => shownFields(text), [text]);
  const columns = useColumns(entries, shown);
  const exported = useMemo(
    () => [...columns, ...['recordKind', 'recordID', 'before', 'after'].map((field) => ({ field }))],
    [columns],
  );
  const actionOptions = useMemo(
    () =>
      auditActionNames
        .filter((action) => features.length === 0 || features.some((feature) => action.startsWith(`${feature}.`)))
        .map((value) => ({ value, label: text.action(value) }))
        .sort((a, b) => a.label.localeCompare(b.label)),
    [features, text],
  );
  const people = log !== 'platform';

  return (
    <ListScreen
      storedAs={route}
      title={label(route)}
      list={entries}
      actions={<ExportButton endpoint={file} list={entries} columns={exported} />}
      filters={
        <>
          <ListSearch list={entries} />
          <SearchInFilter list={entries} choices={auditContentType} />
          <DayRangeFilter list={entries} from="fromMs" to="toMs" label={t('common.timeRange')} timeZone={localZone()} />
          <SelectFilter list={entries} field="action" label={t('audit.field.action')} options={actionOptions} />
          {people && (
            <SelectFilter
              list={entries}
              field="recordKind"
              label={t('audit.field.recordKind')}
              options={auditRecordKinds.map((value) => ({ value, label: t(`audit.record.${value}`) }))}
            />
          )}
          {people && (
            <SelectFilter
              list={entries}
              field="level"
              label={t('audit.field.actorLevel')}
              options={levels.map((value) => ({ value, label: t(`levels.${value}`) }))}
            />
          )}
          {people && <SearchFilter list={entries} field="address" label={t('audit.field.address')} />}
        </>
      }
    >
      <DataTable
        name={label(route)}
        storedAs={route}
        list={entries}
        columns={columns}
        actions={auditActions}
        foldedBy={byRequest}
      />
    </ListScreen>
  );
}
