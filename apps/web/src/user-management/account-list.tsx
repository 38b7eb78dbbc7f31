import { levels } from '@sonnenwarte/contract/levels';
import { type AccountRow, exportList, list } from '@sonnenwarte/contract/user-management/user-management';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { FieldFilter, ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { RecordFilter } from '../blocks/list/record-filter.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { Badge } from '../blocks/show/badge.tsx';
import { StateBadge } from '../blocks/show/state-badge.tsx';
import { useOrganisationSource } from '../organisations/organisation-source.ts';
import { useGlobalState } from '../state/global-state.ts';
import { accountActions, accountAdding } from './account-actions.tsx';

const shown: readonly ShownField<typeof list>[] = [
  { field: 'user', card: 'title' },
  { field: 'name' },
  { field: 'level', card: 'aside' },
  { field: 'state', card: 'aside', cell: (row) => <AccountState row={row} /> },
  { field: 'organisation', card: 'foot' },
  { field: 'email', card: 'foot', optional: true },
  { field: 'phone', optional: true },
  { field: 'country', optional: true },
  { field: 'sites', card: 'figure', cell: (row, plain) => (row.level === 10 || row.level === 255 ? '–' : plain) },
  { field: 'lastSignInMs', card: 'figure', cell: (row, plain) => <LastSignIn row={row}>{plain}</LastSignIn> },
  { field: 'createdAtMs', optional: true },
];

function AccountState({ row: { state, organisationDisabled } }: { row: AccountRow }): ReactNode {
  const { t } = useTranslation();
  if (state === 'enabled' && organisationDisabled)
    return <Badge tone="bad">{t('user-management.list.organisationDisabled')}</Badge>;
  return <StateBadge state={state} />;
}

function LastSignIn({ row, children }: { row: AccountRow; children: ReactNode }): ReactNode {
  const { t } = useTranslation();
  return row.lastSignInMs === null ? t('user-management.list.never') : children;
}

/** Accounts of all levels in scope. */
export function AccountList({ title, switcher }: { title: string; switcher: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const accounts = useList(list);
  const addable = accounts.answer?.can.add ?? [];
  const access = useGlobalState((state) => state.access);
  const columns = useColumns(accounts, shown);
  const source = useOrganisationSource();
  const shownLevels = access === 255 ? levels : levels.filter((level) => level <= 4);

  return (
    <ListScreen
      title={title}
      list={accounts}
      {...(switcher !== null && { summary: switcher })}
      actions={
        <>
          <ExportButton endpoint={exportList} list={accounts} columns={columns} />
          <ActionButtons table={accountAdding} row={{ levels: addable }} look="filled" />
        </>
      }
      filters={
        <>
          <ListSearch list={accounts} />
          <FieldFilter list={accounts} field="level" among={shownLevels} />
          <FieldFilter list={accounts} field="state" />
          <RecordFilter
            list={accounts}
            field="organisation"
            label={t('user-management.field.organisation')}
            source={source}
          />
          <FieldFilter list={accounts} field="country" />
        </>
      }
    >
      <DataTable list={accounts} columns={columns} actions={accountActions} />
    </ListScreen>
  );
}
