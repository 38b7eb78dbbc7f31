import {
  exportList,
  list,
  type MigrationRow,
  migrationState,
} from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../blocks/badge.tsx';
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
import { migrationActions } from './migration-actions.tsx';
import styles from './migrations.module.css';
import { TransferForm } from './transfer-form.tsx';

const stateOf = (row: MigrationRow) => (row.undoneAtMs === null ? 'transferred' : 'undone');

function useColumns(): readonly Column<MigrationRow>[] {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(
    () => [
      {
        field: 'source',
        header: t('migrations-of-accounts.field.source'),
        cell: (row) => row.source,
        sortable: true,
        card: 'title',
      },
      {
        field: 'parentAgents',
        header: t('migrations-of-accounts.field.parentAgents'),
        cell: (row) => <span className={styles.agents}>{row.parentAgents.join(' › ') || '–'}</span>,
        card: 'foot',
      },
      {
        field: 'target',
        header: t('migrations-of-accounts.field.target'),
        cell: (row) => row.target,
        sortable: true,
        card: 'figure',
      },
      {
        field: 'sites',
        header: t('migrations-of-accounts.field.sites'),
        cell: (row) => format.number(row.sites),
        sortable: true,
        align: 'end',
        card: 'figure',
      },
      {
        field: 'transferredAtMs',
        header: t('migrations-of-accounts.field.transferredAtMs'),
        cell: (row) => format.dateTime(row.transferredAtMs, localZone()),
        sortable: true,
        card: 'foot',
      },
      {
        field: 'transferCount',
        header: t('migrations-of-accounts.field.transferCount'),
        cell: (row) => format.number(row.transferCount),
        sortable: true,
        align: 'end',
        card: 'figure',
      },
      {
        field: 'operatedBy',
        header: t('migrations-of-accounts.field.operatedBy'),
        cell: (row) => row.operatedBy,
        sortable: true,
        card: 'foot',
      },
      {
        field: 'state',
        header: t('migrations-of-accounts.field.state'),
        cell: (row) => (
          <Badge tone={row.undoneAtMs === null ? 'good' : 'neutral'}>
            {t(`migrations-of-accounts.state.${stateOf(row)}`)}
          </Badge>
        ),
        card: 'aside',
      },
      {
        field: 'undoneAtMs',
        header: t('migrations-of-accounts.field.undoneAtMs'),
        cell: (row) => format.dateTime(row.undoneAtMs, localZone()),
        optional: true,
      },
      {
        field: 'undoneBy',
        header: t('migrations-of-accounts.field.undoneBy'),
        cell: (row) => row.undoneBy || '–',
        optional: true,
      },
    ],
    [t, format],
  );
}

/** Moves all plants of one account to another, and tells what was moved so far. */
export function MigrationScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const migrations = useListState(list.input);
  const query = useTableQuery(read(list, migrations.value), (answer) => ({
    rows: answer.migrations,
    total: answer.total,
  }));
  const columns = useColumns();

  return (
    <ListScreen
      title={label('account-migration')}
      list={migrations}
      actions={<ExportButton endpoint={exportList} list={migrations} columns={columns} />}
      summary={<TransferForm />}
      filters={
        <>
          <SearchFilter list={migrations} field="content" label={t('migrations-of-accounts.history.search')} />
          <SelectFilter
            list={migrations}
            field="state"
            label={t('migrations-of-accounts.field.state')}
            options={migrationState.options.map((value) => ({
              value,
              label: t(`migrations-of-accounts.state.${value}`),
            }))}
          />
        </>
      }
    >
      <DataTable
        name={t('migrations-of-accounts.history.title')}
        storedAs="migrations-of-accounts"
        columns={columns}
        rowKey={(row) => row.migrationID}
        rowName={migrationActions.nameOf}
        query={query}
        list={migrations}
        actions={migrationActions}
        empty={
          <EmptyList
            list={migrations}
            empty={t('migrations-of-accounts.history.empty')}
            noMatch={t('migrations-of-accounts.history.noMatch')}
            reset={t('common.clearFilters')}
          />
        }
      />
    </ListScreen>
  );
}
