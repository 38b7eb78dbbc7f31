import { auditActionNames } from '@sonnenwarte/contract/audit/actions';
import {
  type AuditLog,
  type AuditRow,
  accountLog,
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
import { type Column, DataTable, useTableQuery } from '../blocks/data-table.tsx';
import { EmptyList } from '../blocks/empty-list.tsx';
import { ExportButton } from '../blocks/export-button.tsx';
import { SearchFilter, SelectFilter } from '../blocks/filters.tsx';
import { ListScreen } from '../blocks/list-screen.tsx';
import { useListState } from '../blocks/list-state.ts';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { localZone } from '../organisations/local-zone.ts';
import { useRouteLabel } from '../shell/route-label.ts';
import styles from './audit.module.css';
import { auditActions } from './audit-actions.tsx';
import { type AuditText, useAuditText } from './audit-text.ts';
import { DayFilter } from './day-filter.tsx';

const REFRESH_MS = 30_000;
const contentTypes = [1, 2, 3, 4] as const;

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

function useColumns(text: AuditText): readonly Column<AuditRow>[] {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(
    () => [
      {
        field: 'action',
        header: t('audit.field.action'),
        cell: (row) => text.action(row.action),
        card: 'title',
      },
      {
        field: 'atMs',
        header: t('audit.field.atMs'),
        cell: (row) => format.dateTime(row.atMs, localZone()),
        sortable: true,
        card: 'foot',
      },
      {
        field: 'actor',
        header: t('audit.field.actor'),
        cell: (row) => row.actor || t('audit.detail.server'),
        card: 'aside',
      },
      {
        field: 'actorLevel',
        header: t('audit.field.actorLevel'),
        cell: (row) => text.level(row.actorLevel) || '–',
        optional: true,
      },
      {
        field: 'recordName',
        header: t('audit.field.recordName'),
        cell: (row) => (
          <>
            <span className={styles.kind}>{text.record(row.recordKind)}</span> {row.recordName}
          </>
        ),
        card: 'foot',
      },
      { field: 'address', header: t('audit.field.address'), cell: (row) => row.address || '–' },
      { field: 'userAgent', header: t('audit.field.userAgent'), cell: (row) => row.device || '–' },
      {
        field: 'requestID',
        header: t('audit.field.requestID'),
        cell: (row) => <code className={styles.code}>{row.requestID || '–'}</code>,
        optional: true,
      },
    ],
    [t, format, text],
  );
}

/** One of the three logs: who did what, when, from where, to which record. */
export function AuditLogScreen({ log }: { log: AuditLog }): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const text = useAuditText();
  const { list, file, route, features } = logs[log];
  const entries = useListState(list.input);
  const query = useTableQuery({ ...read(list, entries.value), refetchInterval: REFRESH_MS }, (answer) => ({
    rows: answer.entries,
    total: answer.total,
  }));
  const columns = useColumns(text);
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
      title={label(route)}
      list={entries}
      actions={<ExportButton endpoint={file} list={entries} columns={exported} />}
      filters={
        <>
          <SearchFilter list={entries} field="content" label={t('audit.list.search')} />
          <SelectFilter
            list={entries}
            field="contentType"
            label={t('audit.list.searchIn')}
            options={contentTypes.map((value) => ({ value, label: t(`audit.contentType.${value}`) }))}
          />
          <DayFilter list={entries} field="fromMs" label={t('audit.list.from')} />
          <DayFilter list={entries} field="toMs" label={t('audit.list.to')} end />
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
        columns={columns}
        rowKey={(row) => String(row.id)}
        query={query}
        list={entries}
        actions={auditActions}
        empty={
          <EmptyList
            list={entries}
            empty={t('audit.list.empty')}
            noMatch={t('audit.list.noMatch')}
            reset={t('common.clearFilters')}
          />
        }
      />
    </ListScreen>
  );
}
