import { levels } from '@sonnenwarte/contract/levels';
import { type AccountRow, exportList, list } from '@sonnenwarte/contract/user-management/user-management';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/action-buttons.tsx';
import { Badge, LevelBadge } from '../blocks/badge.tsx';
import { useCountryChoices } from '../blocks/country-choices.ts';
import { type Column, DataTable, useTableQuery } from '../blocks/data-table.tsx';
import { EmptyList } from '../blocks/empty-list.tsx';
import { ExportButton } from '../blocks/export-button.tsx';
import { SearchFilter, SelectFilter } from '../blocks/filters.tsx';
import { ListScreen } from '../blocks/list-screen.tsx';
import { useListState } from '../blocks/list-state.ts';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { localZone } from '../organisations/local-zone.ts';
import { useParentChoices } from '../organisations/organisation-choices.ts';
import { StateBadge } from '../organisations/state-badge.tsx';
import { useGlobalState } from '../state/global-state.ts';
import { accountActions, accountAdding } from './account-actions.tsx';

function useColumns(): readonly Column<AccountRow>[] {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(
    () => [
      {
        field: 'user',
        header: t('user-management.field.user'),
        cell: (row) => row.user,
        sortable: true,
        card: 'title',
      },
      { field: 'name', header: t('user-management.field.name'), cell: (row) => row.name || '–', sortable: true },
      {
        field: 'level',
        header: t('user-management.field.level'),
        cell: (row) => <LevelBadge level={row.level} />,
        sortable: true,
        card: 'aside',
      },
      {
        field: 'state',
        header: t('user-management.field.state'),
        cell: (row) =>
          row.state === 'enabled' && row.organisationDisabled ? (
            <Badge tone="bad">{t('user-management.list.organisationDisabled')}</Badge>
          ) : (
            <StateBadge state={row.state} />
          ),
        sortable: true,
        card: 'aside',
      },
      {
        field: 'organisation',
        header: t('user-management.field.organisation'),
        cell: (row) => row.organisation,
        sortable: true,
        card: 'foot',
      },
      {
        field: 'email',
        header: t('user-management.field.email'),
        cell: (row) => row.email,
        sortable: true,
        card: 'foot',
        optional: true,
      },
      {
        field: 'phone',
        header: t('user-management.field.phone'),
        cell: (row) => row.phone || '–',
        sortable: true,
        optional: true,
      },
      {
        field: 'country',
        header: t('user-management.field.country'),
        cell: (row) => (row.country === '' ? '–' : format.country(row.country)),
        sortable: true,
        optional: true,
      },
      {
        field: 'sites',
        header: t('user-management.field.sites'),
        cell: (row) => (row.level === 10 || row.level === 255 ? '–' : format.number(row.sites, 0)),
        align: 'end',
        card: 'figure',
      },
      {
        field: 'lastSignInMs',
        header: t('user-management.field.lastSignInMs'),
        cell: (row) =>
          row.lastSignInMs === null ? t('user-management.list.never') : format.dateTime(row.lastSignInMs, localZone()),
        sortable: true,
        card: 'figure',
      },
      {
        field: 'createdMs',
        header: t('user-management.field.createdMs'),
        cell: (row) => format.dateTime(row.createdMs, localZone()),
        sortable: true,
        optional: true,
      },
    ],
    [t, format],
  );
}

/** Accounts of all levels in scope. */
export function AccountList({ title, switcher }: { title: string; switcher: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const accounts = useListState(list.input);
  const query = useTableQuery(read(list, accounts.value), (answer) => ({
    rows: answer.accounts,
    total: answer.total,
  }));
  const addable = useQuery(read(list, accounts.value)).data?.can.add ?? [];
  const access = useGlobalState((state) => state.access);
  const columns = useColumns();
  const countries = useCountryChoices();
  const choices = useParentChoices();
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
          <SearchFilter list={accounts} field="content" label={t('user-management.list.search')} />
          <SelectFilter
            list={accounts}
            field="level"
            label={t('user-management.field.level')}
            options={shownLevels.map((value) => ({ value, label: t(`levels.${value}`) }))}
          />
          <SelectFilter
            list={accounts}
            field="state"
            label={t('user-management.field.state')}
            options={(['enabled', 'disabled'] as const).map((value) => ({
              value,
              label: t(`organisations.state.${value}`),
            }))}
          />
          <SelectFilter
            list={accounts}
            field="organisation"
            label={t('user-management.field.organisation')}
            options={choices(['platform', 'distributor', 'agent', 'installer'])}
          />
          <SelectFilter
            list={accounts}
            field="country"
            label={t('user-management.field.country')}
            options={countries}
          />
        </>
      }
    >
      <DataTable
        name={t('user-management.list.title')}
        storedAs="user-management"
        columns={columns}
        rowKey={(row) => row.id}
        rowName={(row) => row.user}
        query={query}
        list={accounts}
        actions={accountActions}
        empty={
          <EmptyList
            list={accounts}
            empty={t('user-management.list.empty')}
            noMatch={t('user-management.list.noMatch')}
            reset={t('user-management.list.reset')}
          />
        }
      />
    </ListScreen>
  );
}
