import { levelOfKind } from '@sonnenwarte/contract/members/member-levels';
import {
  exportList,
  groupType,
  list,
  type PermissionGroupRow,
  remove,
} from '@sonnenwarte/contract/permission-groups/permission-groups';
import { IconCopy, IconEye, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../blocks/action-menu.tsx';
import { Badge } from '../blocks/badge.tsx';
import { Button } from '../blocks/button.tsx';
import { Can } from '../blocks/can.tsx';
import { ConfirmAction } from '../blocks/confirm-action.tsx';
import { type Column, DataTable, useTableQuery } from '../blocks/data-table.tsx';
import { EmptyList } from '../blocks/empty-list.tsx';
import { ExportButton } from '../blocks/export-button.tsx';
import { SearchFilter, SelectFilter } from '../blocks/filters.tsx';
import { ListScreen } from '../blocks/list-screen.tsx';
import { useListState } from '../blocks/list-state.ts';
import { read, useWrite } from '../client/queries.ts';
import { OrganisationPicker } from '../departments/organisation-picker.tsx';
import { type Format, useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../shell/route-label.ts';
import { Affected } from './affected.tsx';

const GroupAddForm = lazy(async () => ({ default: (await import('./permission-group-form.tsx')).GroupAddForm }));
const GroupEditForm = lazy(async () => ({ default: (await import('./permission-group-form.tsx')).GroupEditForm }));
const ViewAsStart = lazy(async () => ({ default: (await import('../view-as/start-dialog.tsx')).ViewAsStart }));

type Deed = 'edit' | 'copy' | 'view' | 'delete';

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
  const [adding, setAdding] = useState(false);
  const [chosen, setChosen] = useState<{ deed: Deed; row: PermissionGroupRow }>();
  const removal = useWrite(remove, { inPlace: true });
  const close = () => setChosen(undefined);
  const choose = (deed: Deed, row: PermissionGroupRow) => () => setChosen({ deed, row });

  const actions = (row: PermissionGroupRow): readonly RowAction[] => [
    {
      label: t('permission-groups.edit'),
      icon: <IconPencil aria-hidden="true" />,
      onSelect: choose('edit', row),
      code: 'role:edit',
    },
    {
      label: t('permission-groups.copy'),
      icon: <IconCopy aria-hidden="true" />,
      onSelect: choose('copy', row),
      code: 'role:add',
    },
    {
      label: t('view-as.start'),
      icon: <IconEye aria-hidden="true" />,
      onSelect: choose('view', row),
      code: 'role:query',
    },
    {
      label: t('permission-groups.delete'),
      icon: <IconTrash aria-hidden="true" />,
      onSelect: choose('delete', row),
      code: 'role:delete',
      danger: true,
    },
  ];

  return (
    <ListScreen
      title={label('permission-group')}
      list={groups}
      actions={
        <>
          <ExportButton endpoint={exportList} list={groups} columns={columns} />
          <Can code="role:add">
            <Button look="filled" onClick={() => setAdding(true)}>
              <IconPlus size={16} aria-hidden="true" />
              {t('permission-groups.add')}
            </Button>
          </Can>
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
        actions={actions}
        empty={
          <EmptyList
            list={groups}
            empty={t('permission-groups.list.empty')}
            noMatch={t('permission-groups.list.noMatch')}
            reset={t('permission-groups.list.reset')}
          />
        }
      />
      <Suspense>
        {adding && <GroupAddForm organisationID={condition.organisationID} onClose={() => setAdding(false)} />}
        {chosen?.deed === 'edit' && (
          <GroupEditForm key={chosen.row.permissionGroupID} row={chosen.row} onClose={close} />
        )}
        {chosen?.deed === 'copy' && (
          <GroupAddForm
            key={chosen.row.permissionGroupID}
            organisationID={undefined}
            copied={chosen.row}
            onClose={close}
          />
        )}
        {chosen?.deed === 'view' && (
          <ViewAsStart
            opened
            onClose={close}
            preset={{
              kind: 'group',
              id: chosen.row.permissionGroupID,
              name: chosen.row.name,
              level: levelOfKind(chosen.row.organisationKind),
            }}
          />
        )}
        {chosen?.deed === 'delete' && (
          <ConfirmAction
            title={t('permission-groups.deleteTitle', { name: chosen.row.name })}
            opened
            onClose={close}
            confirmLabel={t('permission-groups.delete')}
            danger
            onConfirm={() => removal.mutateAsync({ permissionGroupID: chosen.row.permissionGroupID })}
          >
            <Affected row={chosen.row} />
            <p>{t('permission-groups.deleteText')}</p>
          </ConfirmAction>
        )}
      </Suspense>
    </ListScreen>
  );
}
