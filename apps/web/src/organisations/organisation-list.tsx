import {
  exportList,
  list,
  type OrganisationRow,
  organisationKinds,
} from '@sonnenwarte/contract/organisations/organisations';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/action-buttons.tsx';
import { Badge } from '../blocks/badge.tsx';
import { useCountryChoices } from '../blocks/country-choices.ts';
import { type Column, DataTable, useTableQuery } from '../blocks/data-table.tsx';
import { EmptyList } from '../blocks/empty-list.tsx';
import { ExportButton } from '../blocks/export-button.tsx';
import { SearchFilter, SelectFilter } from '../blocks/filters.tsx';
import { ListScreen } from '../blocks/list-screen.tsx';
import { useListState } from '../blocks/list-state.ts';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { localZone } from './local-zone.ts';
import { organisationActions, organisationAdding } from './organisation-actions.tsx';
import { useParentChoices } from './organisation-choices.ts';
import { StateBadge } from './state-badge.tsx';

function useColumns(): readonly Column<OrganisationRow>[] {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(
    () => [
      {
        field: 'number',
        header: t('organisations.field.number'),
        cell: (row) => row.number,
        sortable: true,
        align: 'end',
        card: 'foot',
      },
      {
        field: 'name',
        header: t('organisations.field.name'),
        cell: (row) => row.name,
        sortable: true,
        card: 'title',
      },
      {
        field: 'kind',
        header: t('organisations.field.kind'),
        cell: (row) => <Badge tone="brand">{t(`organisations.kind.${row.kind}`)}</Badge>,
        sortable: true,
        card: 'foot',
      },
      {
        field: 'state',
        header: t('organisations.field.state'),
        cell: (row) => <StateBadge state={row.state} />,
        sortable: true,
        card: 'aside',
      },
      {
        field: 'country',
        header: t('organisations.field.country'),
        cell: (row) => (row.country === '' ? '–' : format.country(row.country)),
        sortable: true,
        optional: true,
      },
      {
        field: 'email',
        header: t('organisations.field.email'),
        cell: (row) => row.email || '–',
        sortable: true,
        optional: true,
      },
      {
        field: 'phone',
        header: t('organisations.field.phone'),
        cell: (row) => row.phone || '–',
        optional: true,
      },
      {
        field: 'createdMs',
        header: t('organisations.field.createdMs'),
        cell: (row) => format.dateTime(row.createdMs, localZone()),
        sortable: true,
      },
      {
        field: 'parent',
        header: t('organisations.field.parent'),
        cell: (row) => row.parent ?? '–',
        sortable: true,
        card: 'foot',
      },
      {
        field: 'organisations',
        header: t('organisations.field.organisations'),
        cell: (row) => format.number(row.organisations, 0),
        align: 'end',
        card: 'figure',
        optional: true,
      },
      {
        field: 'accounts',
        header: t('organisations.field.accounts'),
        cell: (row) => format.number(row.accounts, 0),
        align: 'end',
        card: 'figure',
        optional: true,
      },
      {
        field: 'sites',
        header: t('organisations.field.sites'),
        cell: (row) => format.number(row.sites, 0),
        align: 'end',
        card: 'figure',
      },
    ],
    [t, format],
  );
}

/** All organisations, filtered and sorted. */
export function OrganisationList({ title, switcher }: { title: string; switcher: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const organisations = useListState(list.input);
  const query = useTableQuery(read(list, organisations.value), (answer) => ({
    rows: answer.organisations,
    total: answer.total,
  }));
  const columns = useColumns();
  const countries = useCountryChoices();
  const parents = useParentChoices();

  return (
    <ListScreen
      title={title}
      list={organisations}
      summary={switcher}
      actions={
        <>
          <ExportButton endpoint={exportList} list={organisations} columns={columns} />
          <ActionButtons table={organisationAdding} row={{ id: undefined }} look="filled" />
        </>
      }
      filters={
        <>
          <SearchFilter list={organisations} field="content" label={t('organisations.list.search')} />
          <SelectFilter
            list={organisations}
            field="kind"
            label={t('organisations.field.kind')}
            options={organisationKinds.map((value) => ({ value, label: t(`organisations.kind.${value}`) }))}
          />
          <SelectFilter
            list={organisations}
            field="state"
            label={t('organisations.field.state')}
            options={(['enabled', 'disabled'] as const).map((value) => ({
              value,
              label: t(`organisations.state.${value}`),
            }))}
          />
          <SelectFilter
            list={organisations}
            field="country"
            label={t('organisations.field.country')}
            options={countries}
          />
          <SelectFilter
            list={organisations}
            field="parent"
            label={t('organisations.list.parent')}
            options={parents(['distributor', 'agent'])}
          />
        </>
      }
    >
      <DataTable
        name={t('organisations.list.title')}
        storedAs="organisations"
        columns={columns}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        query={query}
        list={organisations}
        actions={organisationActions}
        empty={
          <EmptyList
            list={organisations}
            empty={t('organisations.list.empty')}
            noMatch={t('organisations.list.noMatch')}
            reset={t('organisations.list.reset')}
          />
        }
      />
    </ListScreen>
  );
}
