import {
  detail,
  type OrganisationNode,
  type OrganisationRow,
  tree,
} from '@sonnenwarte/contract/organisations/organisations';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { type Actions, useActions } from '../blocks/actions/use-actions.tsx';
import { RowActions } from '../blocks/list/row-actions.tsx';
import { Badge } from '../blocks/show/badge.tsx';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { PropertyList } from '../blocks/show/property-list.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { StateBadge } from '../blocks/show/state-badge.tsx';
import { Tree, type TreeNode } from '../blocks/show/tree.tsx';
import { read } from '../client/queries.ts';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';
import { useTabQuery } from '../tabs/tab-context.ts';
import { organisationActions, organisationAdding } from './organisation-actions.tsx';
import styles from './organisations.module.css';

const NONE: readonly OrganisationNode[] = [];

interface Node extends TreeNode {
  children?: readonly Node[];
}

/** Nests the flat list, whose parents come before their children. */
function nested(organisations: readonly OrganisationNode[], asideOf: (node: OrganisationNode) => ReactNode): Node[] {
  const byId = new Map<string, { id: string; name: string; aside: ReactNode; children?: Node[] }>();
  const roots: Node[] = [];
  for (const organisation of organisations) {
    const node = { id: organisation.id, name: organisation.name, aside: asideOf(organisation) };
    byId.set(organisation.id, node);
    const parent = organisation.parentID === null ? undefined : byId.get(organisation.parentID);
    if (parent === undefined) roots.push(node);
    else parent.children = [...(parent.children ?? []), node];
  }
  return roots;
}

/** Organisations as they hang under each other; the selected one beside them. */
export function OrganisationTree({ title, switcher }: { title: string; switcher: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const [query, setQuery] = useTabQuery();
  const all = useQuery(read(tree, {}));
  const organisations = all.data?.organisations ?? NONE;
  const nodes = useMemo(
    () =>
      nested(organisations, (node) => (
        <>
          {node.state === 'disabled' && <StateBadge state="disabled" />}
          <span className={styles.count}>
            {format.number(node.sites, 0)} {t('organisations.field.sites')}
          </span>
        </>
      )),
    [organisations, format, t],
  );
  const chosen = organisations.find(({ id }) => id === query.id);
  const selected = chosen?.id;
  const actions = useActions(organisationActions, (done) => {
    if (done === 'delete') setQuery({ view: 'tree' });
  });
  return (
    <DetailScreen
      title={title}
      aside={
        <ActionButtons
          table={organisationAdding}
          row={{ id: selected, ...(chosen && { kind: chosen.kind }) }}
          look="filled"
        />
      }
    >
      {switcher}
      <div className={styles.split}>
        <Panel>
          <ReadState query={all}>
            <Skeleton height="12rem" />
          </ReadState>
          {all.data && (
            <Tree
              label={t('organisations.list.title')}
              nodes={nodes}
              selected={selected}
              onSelect={({ id }) => setQuery({ view: 'tree', id })}
              openLevels={3}
            />
          )}
        </Panel>
        {selected === undefined ? (
          <EmptyState text={t('organisations.tree.hint')} />
        ) : (
          <Organisation key={selected} id={selected} actions={actions} />
        )}
      </div>
      {actions.dialogs}
    </DetailScreen>
  );
}

function Organisation({ id, actions }: { id: string; actions: Actions<OrganisationRow> }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useQuery(read(detail, { id }));
  const { data: row } = query;
  if (row === undefined)
    return (
      <ReadState query={query}>
        <Skeleton height="16rem" />
      </ReadState>
    );
  return (
    <Panel title={row.name} actions={<RowActions name={row.name} actions={actions.of(row)} />}>
      <PropertyList
        items={[
          { label: t('organisations.field.number'), value: row.number },
          {
            label: t('organisations.field.kind'),
            value: <Badge tone="brand">{t(`organisations.kind.${row.kind}`)}</Badge>,
          },
          { label: t('organisations.field.state'), value: <StateBadge state={row.state} /> },
          { label: t('organisations.field.parent'), value: row.parent },
          {
            label: t('organisations.field.country'),
            value: row.country === '' ? '' : format.country(row.country),
          },
          { label: t('organisations.field.email'), value: row.email },
          { label: t('organisations.field.phone'), value: row.phone },
          { label: t('organisations.field.organisations'), value: format.number(row.organisations, 0) },
          { label: t('organisations.field.accounts'), value: format.number(row.accounts, 0) },
          { label: t('organisations.field.sites'), value: format.number(row.sites, 0) },
          { label: t('organisations.field.createdAtMs'), value: format.dateTime(row.createdAtMs, localZone()) },
          { label: t('organisations.field.note'), value: <span className={styles.note}>{row.note || '–'}</span> },
        ]}
      />
    </Panel>
  );
}
