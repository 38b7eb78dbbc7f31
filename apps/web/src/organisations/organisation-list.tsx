import { exportList, list } from '@sonnenwarte/contract/organisations/organisations';
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
import { organisationActions, organisationAdding } from './organisation-actions.tsx';
import { useOrganisationSource } from './organisation-source.ts';

const shown: readonly ShownField<typeof list>[] = [
  { field: 'number', card: 'foot' },
  { field: 'name', card: 'title' },
  { field: 'kind', card: 'foot', cell: (_, plain) => <Badge tone="brand">{plain}</Badge> },
  { field: 'state', card: 'aside', cell: (row) => <StateBadge state={row.state} /> },
  { field: 'country', optional: true },
  { field: 'email', optional: true },
  { field: 'phone', optional: true },
  { field: 'createdAtMs' },
  { field: 'parent', card: 'foot' },
  { field: 'organisations', card: 'figure', optional: true },
  { field: 'accounts', card: 'figure', optional: true },
  { field: 'sites', card: 'figure' },
];

/** All organisations, filtered and sorted. */
export function OrganisationList({ title, switcher }: { title: string; switcher: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const organisations = useList(list);
  const columns = useColumns(organisations, shown);
  const parents = useOrganisationSource({ kinds: ['distributor', 'agent'] });

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
          <ListSearch list={organisations} />
          <FieldFilter list={organisations} field="kind" />
          <FieldFilter list={organisations} field="state" />
          <FieldFilter list={organisations} field="country" />
          <RecordFilter list={organisations} field="parent" label={t('organisations.list.parent')} source={parents} />
        </>
      }
    >
      <DataTable list={organisations} columns={columns} actions={organisationActions} />
    </ListScreen>
  );
}
