import { memberLevels } from '@sonnenwarte/contract/members/member-levels';
import { choices, exportList, list, type MemberRow } from '@sonnenwarte/contract/members/members';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { FieldFilter, ListSearch, SelectFilter } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { RecordFilter } from '../blocks/list/record-filter.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { Badge } from '../blocks/show/badge.tsx';
import { read } from '../client/queries.ts';
import { useOrganisationSource } from '../organisations/organisation-source.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { memberActions, memberAdding } from './member-actions.tsx';

const shown: readonly ShownField<typeof list>[] = [
  { field: 'account', card: 'title' },
  {
    field: 'state',
    card: 'aside',
    cell: (row, plain) => <Badge tone={row.state === 'enabled' ? 'good' : 'neutral'}>{plain}</Badge>,
  },
  { field: 'level', card: 'figure' },
  { field: 'name', optional: true },
  { field: 'email', card: 'foot', optional: true },
  { field: 'phone', optional: true },
  { field: 'organisation', card: 'foot' },
  { field: 'department' },
  { field: 'groups', card: 'foot', cell: (row) => row.groups.map(({ name }) => name).join(', ') },
  { field: 'lastSignInMs', cell: (row, plain) => <LastSignIn row={row}>{plain}</LastSignIn> },
  { field: 'createdAtMs', optional: true },
];

function LastSignIn({ row, children }: { row: MemberRow; children: ReactNode }): ReactNode {
  const { t } = useTranslation();
  if (row.passwordTemporary) return <Badge tone="warn">{t('members.temporary.badge')}</Badge>;
  return row.lastSignInMs === null ? t('members.never') : children;
}

/** Further accounts of organisations and what they may do. */
export function MemberListScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const members = useList(list);
  const { organisationID } = members.value.condition;
  const known = useQuery({
    ...read(choices, { organisationID: organisationID ?? '' }),
    enabled: organisationID !== undefined,
  });
  const columns = useColumns(members, shown);
  const source = useOrganisationSource();

  return (
    <ListScreen
      title={label('member')}
      list={members}
      actions={
        <>
          <ExportButton endpoint={exportList} list={members} columns={columns} />
          <ActionButtons table={memberAdding} row={{ organisationID }} look="filled" />
        </>
      }
      filters={
        <>
          <ListSearch list={members} />
          <RecordFilter
            list={members}
            field="organisationID"
            label={t('members.field.organisation')}
            source={source}
            along={['departmentID', 'permissionGroupID']}
          />
          {known.data && (
            <>
              <SelectFilter
                list={members}
                field="departmentID"
                label={t('members.field.department')}
                options={known.data.departments.map(({ departmentID, path }) => ({
                  value: departmentID,
                  label: path.join(' › '),
                }))}
              />
              <SelectFilter
                list={members}
                field="permissionGroupID"
                label={t('members.field.groups')}
                options={known.data.groups.map(({ permissionGroupID, name }) => ({
                  value: permissionGroupID,
                  label: name,
                }))}
              />
            </>
          )}
          <FieldFilter list={members} field="level" among={memberLevels.platform.toReversed()} />
          <FieldFilter list={members} field="state" />
        </>
      }
    >
      <DataTable list={members} columns={columns} actions={memberActions} />
    </ListScreen>
  );
}
