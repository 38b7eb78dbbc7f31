import { type Department, tree } from '@sonnenwarte/contract/departments/departments';
import { choices } from '@sonnenwarte/contract/organisations/organisations';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { useActions } from '../blocks/actions/use-actions.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { Tree } from '../blocks/show/tree.tsx';
import { RecordEntry } from '../blocks/widgets/record-entry.tsx';
import { read } from '../client/queries.ts';
import { useOrganisationSource } from '../organisations/organisation-source.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useTabQuery } from '../tabs/tab-context.ts';
import { departmentActions, departmentAdding } from './department-actions.tsx';
import { DepartmentMembers } from './department-members.tsx';
import styles from './departments.module.css';
import { nodesOf } from './tree-nodes.ts';

/** The departments of an organisation, and who is in them. */
export function DepartmentScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const [query, setQuery] = useTabQuery();
  const id = useId();
  const source = useOrganisationSource();
  const first = useQuery(read(choices, {}));
  const organisationID = query.organisation ?? first.data?.choices[0]?.id;
  const departments = useQuery({
    ...read(tree, { organisationID: organisationID ?? '' }),
    enabled: organisationID !== undefined,
  });
  const actions = useActions(departmentActions);
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
  const error = first.error ?? departments.error;

  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <h1 className={styles.title}>{label('organization')}</h1>
        {departments.data && organisationID !== undefined && (
          <ActionButtons table={departmentAdding} row={{ organisationID }} look="filled" />
        )}
      </header>
      <div className={styles.picker}>
        <label id={`${id}-label`} htmlFor={id} className={styles.pickerLabel}>
          {t('departments.field.organisation')}
        </label>
        <RecordEntry
          id={id}
          labelledBy={`${id}-label`}
          source={source}
          required
          value={organisationID ?? ''}
          onChange={(chosen) => setQuery({ organisation: chosen })}
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
          {!error && (
            <ReadState query={departments}>
              <Skeleton height="8rem" />
            </ReadState>
          )}
          {departments.data && all.length === 0 && <EmptyState text={t('departments.empty')} />}
          {all.length > 0 && organisationID !== undefined && (
            <Tree
              key={organisationID}
              label={t('departments.tree')}
              nodes={nodesOf(all, (count) => t('departments.members', { count }))}
              selected={chosen?.departmentID}
              onSelect={({ department }) => choose(department)}
              actions={({ department }) => actions.of({ department, all, organisationID })}
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
      {actions.dialogs}
    </div>
  );
}
