import { levelOfKind } from '@sonnenwarte/contract/members/member-levels';
import {
  exportList,
  list,
  type PermissionGroupRow,
  remove,
} from '@sonnenwarte/contract/permission-groups/permission-groups';
import { IconCopy, IconEye, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../blocks/action-menu.tsx';
import { Badge } from '../blocks/badge.tsx';
import { Button } from '../blocks/button.tsx';
import { Can } from '../blocks/can.tsx';
import { type ShownField, useColumns } from '../blocks/columns.tsx';
import { ConfirmAction } from '../blocks/confirm-action.tsx';
import { DataTable } from '../blocks/data-table.tsx';
import { ExportButton } from '../blocks/export-button.tsx';
import { FieldFilter, ListSearch } from '../blocks/filters.tsx';
import { ListScreen } from '../blocks/list-screen.tsx';
import { useList } from '../blocks/use-list.ts';
import { useWrite } from '../client/queries.ts';
import { OrganisationPicker } from '../departments/organisation-picker.tsx';
import { useRouteLabel } from '../shell/route-label.ts';
import { Affected } from './affected.tsx';

const GroupAddForm = lazy(async () => ({ default: (await import('./permission-group-form.tsx')).GroupAddForm }));
const GroupEditForm = lazy(async () => ({ default: (await import('./permission-group-form.tsx')).GroupEditForm }));
const ViewAsStart = lazy(async () => ({ default: (await import('../view-as/start-dialog.tsx')).ViewAsStart }));

type Deed = 'edit' | 'copy' | 'view' | 'delete';

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
  const [adding, setAdding] = useState(false);
  const [chosen, setChosen] = useState<{ deed: Deed; row: PermissionGroupRow }>();
  const removal = useWrite(remove, { inPlace: true, alsoChanges: ['members', 'departments'] });
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
          <ListSearch list={groups} />
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
          <FieldFilter list={groups} field="type" />
        </>
      }
    >
      <DataTable list={groups} columns={columns} actions={actions} />
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
