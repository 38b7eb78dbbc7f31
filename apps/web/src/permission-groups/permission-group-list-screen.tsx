import {
  exportList,
  groupType,
  list,
  type PermissionGroupRow,
} from '@sonnenwarte/contract/permission-groups/permission-groups';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/action-buttons.tsx';
import { Badge } from '../blocks/badge.tsx';
import { type Column, DataTable, useTableQuery } from '../blocks/data-table.tsx';
import { EmptyList } from '../blocks/empty-list.tsx';
import { ExportButton } from '../blocks/export-button.tsx';
import { SearchFilter, SelectFilter } from '../blocks/filters.tsx';
import { ListScreen } from '../blocks/list-screen.tsx';
import { useListState } from '../blocks/list-state.ts';
import { read } from '../client/queries.ts';
import { OrganisationPicker } from '../departments/organisation-picker.tsx';
import { type Format, useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../shell/route-label.ts';
import { groupActions, groupAdding } from './permission-group-actions.tsx';

const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function useColumns(format: Format): readonly Column<PermissionGroupRow>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        field: 'name',
        header: t('permission-groups.field.name'),
        cell: (row) => row.name,
        sortable: true,
        card: 'title',
      },
      {
        field: 'description',
        header: t('permission-groups.field.description'),
        cell: (row) => row.description,
        sortable: true,
        card: 'foot',
      },
      {
        field: 'type',
        header: t('permission-groups.field.type'),
        cell: (row) => <Badge>{t(`permission-groups.type.${row.type}`)}</Badge>,
        sortable: true,
        card: 'aside',
      },
      {
        field: 'organisation',
        header: t('permission-groups.field.organisation'),
        cell: (row) => row.organisation,
        sortable: true,
        card: 'foot',
      },
      {
        field: 'department',
        header: t('permission-groups.field.department'),
        cell: (row) => row.department,
        sortable: true,
      },
      {
        field: 'codes',
        header: t('permission-groups.field.codes'),
        cell: (row) => format.number(row.codes, 0),
        sortable: true,
        align: 'end',
        card: 'figure',
      },
      {
        field: 'members',
        header: t('permission-groups.field.members'),
        cell: (row) => format.number(row.members, 0),
        sortable: true,
        align: 'end',
        card: 'figure',
      },
      {
        field: 'updatedAtMs',
        header: t('permission-groups.field.updatedAtMs'),
        cell: (row) => format.dateTime(row.updatedAtMs, browserTimeZone()),
        sortable: true,
        optional: true,
      },
    ],
    [t, format],
  );
}

/** What members of organisations may do, by group. */
export function PermissionGroupListScreen(): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const label = useRouteLabel();
  const groups = useListState(list.input);
  const { condition } = groups.value;
  const query = useTableQuery(read(list, groups.value), (answer) => ({ rows: answer.groups, total: answer.total }));
  const columns = useColumns(format);

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
          <SearchFilter list={groups} field="content" label={t('permission-groups.list.search')} />
          <OrganisationPicker
            label={t('permission-groups.field.organisation')}
            value={condition.organisationID}
            allLabel={t('departments.picker.all')}
            onChange={(organisation) => {
              const { organisationID: _, ...others } = condition;
              groups.set({
                condition: organisation ? { ...others, organisationID: organisation.organisationID } : others,
              });
            }}
          />
          <SelectFilter
            list={groups}
            field="type"
            label={t('permission-groups.field.type')}
            options={groupType.options.map((value) => ({ value, label: t(`permission-groups.type.${value}`) }))}
          />
        </>
      }
    >
      <DataTable
        name={t('permission-groups.list.title')}
        storedAs="permission-groups"
        columns={columns}
        rowKey={(row) => row.permissionGroupID}
        rowName={(row) => row.name}
        query={query}
        list={groups}
        actions={groupActions}
        empty={
          <EmptyList
            list={groups}
            empty={t('permission-groups.list.empty')}
            noMatch={t('permission-groups.list.noMatch')}
            reset={t('permission-groups.list.reset')}
          />
        }
      />
    </ListScreen>
  );
}
