import { type Department, organisations, tree } from '@sonnenwarte/contract/departments/departments';
import { IconArrowsMove, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../blocks/action-menu.tsx';
import { Button } from '../blocks/button.tsx';
import { Can } from '../blocks/can.tsx';
import { EmptyState } from '../blocks/empty-state.tsx';
import { ErrorNotice } from '../blocks/error-notice.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/loading.tsx';
import { Panel } from '../blocks/panel.tsx';
import { Tree } from '../blocks/tree.tsx';
import { read } from '../client/queries.ts';
import { useRouteLabel } from '../shell/route-label.ts';
import { useTabQuery } from '../shell/tab-context.ts';
import { DepartmentMembers } from './department-members.tsx';
import styles from './departments.module.css';
import { OrganisationPicker } from './organisation-picker.tsx';
import { branchOf, type DepartmentNode, nodesOf } from './tree-nodes.ts';

const AddForm = lazy(async () => ({ default: (await import('./department-form.tsx')).DepartmentAddForm }));
const EditForm = lazy(async () => ({ default: (await import('./department-form.tsx')).DepartmentEditForm }));
const MoveForm = lazy(async () => ({ default: (await import('./department-form.tsx')).DepartmentMoveForm }));
const RemoveForm = lazy(async () => ({ default: (await import('./department-form.tsx')).DepartmentRemoveForm }));

type Deed =
  | { kind: 'add'; below: Department | undefined }
  | { kind: 'edit' | 'move' | 'remove'; department: Department };

/** The departments of an organisation, and who is in them. */
export function DepartmentScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const [query, setQuery] = useTabQuery();
  const first = useQuery(read(organisations, { search: '' }));
  const organisationID = query.organisation ?? first.data?.organisations[0]?.organisationID;
  const departments = useQuery({
    ...read(tree, { organisationID: organisationID ?? '' }),
    enabled: organisationID !== undefined,
  });
  const [deed, setDeed] = useState<Deed>();
  const all = departments.data?.departments ?? [];
  const chosen = all.find(({ departmentID }) => departmentID === query.department);
  const choose = (department: Department | undefined) => {
    const { department: _, ...others } = query;
    setQuery({
      ...others,
      ...(organisationID !== undefined && { organisation: organisationID }),
      ...(department && { department: department.departmentID }),
    });
  };
  const close = () => setDeed(undefined);
  const error = first.error ?? departments.error;

  const actions = ({ department }: DepartmentNode): readonly RowAction[] => [
    {
      label: t('departments.addBelow'),
      icon: <IconPlus aria-hidden="true" />,
      onSelect: () => setDeed({ kind: 'add', below: department }),
      code: 'organization:add',
    },
    {
      label: t('departments.edit'),
      icon: <IconPencil aria-hidden="true" />,
      onSelect: () => setDeed({ kind: 'edit', department }),
      code: 'organization:edit',
    },
    {
      label: t('departments.move'),
      icon: <IconArrowsMove aria-hidden="true" />,
      onSelect: () => setDeed({ kind: 'move', department }),
      code: 'organization:edit',
    },
    {
      label: t('departments.delete'),
      icon: <IconTrash aria-hidden="true" />,
      onSelect: () => setDeed({ kind: 'remove', department }),
      code: 'organization:delete',
      danger: true,
    },
  ];

  const add = (
    <Can code="organization:add">
      <Button look="filled" onClick={() => setDeed({ kind: 'add', below: undefined })}>
        <IconPlus size={16} aria-hidden="true" />
        {t('departments.add')}
      </Button>
    </Can>
  );

  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <h1 className={styles.title}>{label('organization')}</h1>
        {departments.data && add}
      </header>
      <div className={styles.picker}>
        <OrganisationPicker
          label={t('departments.field.organisation')}
          value={organisationID}
          onChange={(organisation) => organisation && setQuery({ organisation: organisation.organisationID })}
        />
      </div>
      {error && (
        <ErrorNotice
          error={error}
          retry={() => void (first.error ? first : departments).refetch()}
          keepsShown={departments.data !== undefined}
        />
      )}
      <div className={styles.columns} data-empty={all.length === 0 || undefined}>
        <Panel title={t('departments.tree')}>
          {!departments.data && !error && (
            <LoadingSkeleton>
              <Skeleton height="8rem" />
            </LoadingSkeleton>
          )}
          {departments.data && all.length === 0 && <EmptyState text={t('departments.empty')} />}
          {all.length > 0 && (
            <Tree
              key={organisationID}
              label={t('departments.tree')}
              nodes={nodesOf(all, (count) => t('departments.members', { count }))}
              selected={chosen?.departmentID}
              onSelect={({ department }) => choose(department)}
              actions={actions}
              openLevels={3}
            />
          )}
        </Panel>
        {all.length > 0 && (
          <Panel
            title={chosen ? t('departments.membersOf', { name: chosen.name }) : t('permission-groups.field.members')}
          >
            {chosen && organisationID !== undefined ? (
              <DepartmentMembers key={chosen.departmentID} department={chosen} organisationID={organisationID} />
            ) : (
              <p className={styles.note}>{t('departments.chooseOne')}</p>
            )}
          </Panel>
        )}
      </div>
      <Suspense>
        {deed?.kind === 'add' && organisationID !== undefined && (
          <AddForm organisationID={organisationID} below={deed.below} onClose={close} />
        )}
        {deed?.kind === 'edit' && <EditForm department={deed.department} onClose={close} />}
        {deed?.kind === 'move' && (
          <MoveForm department={deed.department} all={all} branch={branchOf(all, deed.department)} onClose={close} />
        )}
        {deed?.kind === 'remove' && (
          <RemoveForm department={deed.department} all={all} branch={branchOf(all, deed.department)} onClose={close} />
        )}
      </Suspense>
    </div>
  );
}
