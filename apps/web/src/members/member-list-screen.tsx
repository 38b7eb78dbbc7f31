import { memberLevels } from '@sonnenwarte/contract/members/member-levels';
import { choices, exportList, list, type MemberRow, memberState } from '@sonnenwarte/contract/members/members';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/action-buttons.tsx';
import { Badge, LevelBadge } from '../blocks/badge.tsx';
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
import { memberActions, memberAdding } from './member-actions.tsx';

const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function useColumns(format: Format): readonly Column<MemberRow>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const time = (tsMs: number): string => format.dateTime(tsMs, browserTimeZone());
    return [
      {
        field: 'account',
        header: t('members.field.account'),
        cell: (row) => row.account,
        sortable: true,
        card: 'title',
      },
      {
        field: 'state',
        header: t('members.field.state'),
        cell: (row) => (
          <Badge tone={row.state === 'enabled' ? 'good' : 'neutral'}>{t(`members.state.${row.state}`)}</Badge>
        ),
        sortable: true,
        card: 'aside',
      },
      {
        field: 'level',
        header: t('members.field.level'),
        cell: (row) => <LevelBadge level={row.level} />,
        sortable: true,
        card: 'figure',
      },
      { field: 'name', header: t('members.field.name'), cell: (row) => row.name, sortable: true, optional: true },
      {
        field: 'email',
        header: t('members.field.email'),
        cell: (row) => row.email,
        sortable: true,
        card: 'foot',
        optional: true,
      },
      { field: 'phone', header: t('members.field.phone'), cell: (row) => row.phone, sortable: true, optional: true },
      {
        field: 'organisation',
        header: t('members.field.organisation'),
        cell: (row) => row.organisation,
        sortable: true,
        card: 'foot',
      },
      { field: 'department', header: t('members.field.department'), cell: (row) => row.department, sortable: true },
      {
        field: 'groups',
        header: t('members.field.groups'),
        cell: (row) => row.groups.map(({ name }) => name).join(', '),
        card: 'foot',
      },
      {
        field: 'lastSignInMs',
        header: t('members.field.lastSignInMs'),
        cell: (row) => {
          if (row.passwordTemporary) return <Badge tone="warn">{t('members.temporary.badge')}</Badge>;
          return row.lastSignInMs === null ? t('members.never') : time(row.lastSignInMs);
        },
        sortable: true,
      },
      {
        field: 'createdAtMs',
        header: t('members.field.createdAtMs'),
        cell: (row) => time(row.createdAtMs),
        sortable: true,
        optional: true,
      },
    ];
  }, [t, format]);
}

/** Further accounts of organisations and what they may do. */
export function MemberListScreen(): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const label = useRouteLabel();
  const members = useListState(list.input);
  const { condition } = members.value;
  const { organisationID } = condition;
  const query = useTableQuery(read(list, members.value), (answer) => ({ rows: answer.members, total: answer.total }));
  const known = useQuery({
    ...read(choices, { organisationID: organisationID ?? '' }),
    enabled: organisationID !== undefined,
  });
  const columns = useColumns(format);

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
          <SearchFilter list={members} field="content" label={t('members.list.search')} />
          <OrganisationPicker
            label={t('members.field.organisation')}
            value={organisationID}
            allLabel={t('departments.picker.all')}
            onChange={(organisation) => {
              const { organisationID: _, departmentID: __, permissionGroupID: ___, ...others } = condition;
              members.set({
                condition: organisation ? { ...others, organisationID: organisation.organisationID } : others,
              });
            }}
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
          <SelectFilter
            list={members}
            field="level"
            label={t('members.field.level')}
            options={memberLevels.platform.toReversed().map((value) => ({ value, label: t(`levels.${value}`) }))}
          />
          <SelectFilter
            list={members}
            field="state"
            label={t('members.field.state')}
            options={memberState.options.map((value) => ({ value, label: t(`members.state.${value}`) }))}
          />
        </>
      }
    >
      <DataTable
        name={t('members.list.title')}
        storedAs="members"
        columns={columns}
        rowKey={(row) => row.accountID}
        rowName={(row) => row.account}
        query={query}
        list={members}
        actions={memberActions}
        empty={
          <EmptyList
            list={members}
            empty={t('members.list.empty')}
            noMatch={t('members.list.noMatch')}
            reset={t('members.list.reset')}
          />
        }
      />
    </ListScreen>
  );
}
