import { exportList, list } from '@sonnenwarte/contract/permission-groups/permission-groups';
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
import { useOrganisationSource } from '../organisations/organisation-source.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { groupActions, groupAdding } from './permission-group-actions.tsx';

const shown: readonly ShownField<typeof list>[] = [
  { field: 'name', card: 'title' },
  { field: 'description', card: 'foot' },
  { field: 'type', card: 'aside', cell: (_, plain) => <Badge>{plain}</Badge> },
  { field: 'organisation', card: 'foot' },
  { field: 'department' },
  { field: 'codes', card: 'figure' },
  { field: 'members', card: 'figure' },
  { field: 'updatedAtMs', optional: true },
];

/** What members of organisations may do, by group. */
export function PermissionGroupListScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const groups = useList(list);
  const { condition } = groups.value;
  const columns = useColumns(groups, shown);
  const source = useOrganisationSource();

  return (
    <ListScreen
      title={label('permission-group')}
      list={groups}
      actions={
        <>
          <ExportButton endpoint={exportList} list={groups} columns={columns} />
          <ActionButtons table={groupAdding} row={{ organisationID: condition.organisationID }} look="filled" />
        </>
      }
      filters={
        <>
          <ListSearch list={groups} />
          <RecordFilter
            list={groups}
            field="organisationID"
            label={t('permission-groups.field.organisation')}
            source={source}
          />
          <FieldFilter list={groups} field="type" />
        </>
      }
    >
      <DataTable list={groups} columns={columns} actions={groupActions} />
    </ListScreen>
  );
}
