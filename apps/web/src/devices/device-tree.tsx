import { tree } from '@sonnenwarte/contract/devices/device-tree';
import type { ListEndpoint } from '@sonnenwarte/contract/endpoint';
import type { State } from '@sonnenwarte/contract/status';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceTarget } from '../blocks/devices/detail-target.ts';
import tables from '../blocks/list/data-table.module.css';
import { EmptyList } from '../blocks/list/empty-list.tsx';
import { Pager } from '../blocks/list/pager.tsx';
import type { FilteredList } from '../blocks/list/use-list.ts';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { BriefFreshness } from '../blocks/show/freshness.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { RefreshedEvery } from '../blocks/show/refreshed-every.ts';
import { openScreen } from '../blocks/show/screen-link.tsx';
import { branchIds, visibleNodes } from '../blocks/show/tree-keys.ts';
import { useTreeKeys } from '../blocks/show/use-tree-keys.ts';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './device-tree.module.css';
import { DeviceRowOfTree, LoggerRow, type TreeNode } from './device-tree-rows.tsx';
import type { FamilyKind } from './families.tsx';

const look = `${tables.table} ${styles.tree}`;
const SIGNAL_UNIT = 'dBm';

const REFRESH_MS = 30_000;

interface DeviceTreeProps<L extends ListEndpoint> {
  kind: FamilyKind;
  /** Filters and page, as of the list. */
  list: FilteredList<L>;
  isIntegrators: boolean;
}

const isTroubled = ({ logger }: TreeNode): boolean =>
  logger !== undefined && (!logger.isOnline || logger.devices.some(({ state }) => state !== 'normal'));

/** Dataloggers with their devices below them: arrow keys walk, Right and Left open and close, Enter opens the device. */
export function DeviceTree<const L extends ListEndpoint>({ kind, list, isIntegrators }: DeviceTreeProps<L>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { pageSize, currentPage } = list.value;
  const {
    content = '',
    state,
    states,
    deviates,
  } = (list.value.condition ?? {}) as {
    content?: string;
    state?: State;
    states?: State[];
    deviates?: true;
  };
  const { data, error, isFetching, refetch } = useQuery({
    ...read(tree, {
      pageSize,
      currentPage,
      condition: { kind, content, ...(state && { state }), ...(states && { states }), ...(deviates && { deviates }) },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const nodes = useMemo(
    () =>
      (data?.modules ?? []).map(
        (logger): TreeNode => ({
          id: logger.moduleSN,
          name: logger.moduleSN,
          logger,
          children: logger.devices.map((device) => ({ id: device.deviceID, name: device.deviceSN, device, logger })),
        }),
      ),
    [data],
  );
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  // What needs a hand stands open; where nothing does, the first.
  const opened = nodes.some(isTroubled) ? nodes.filter(isTroubled) : nodes.slice(0, 1);
  const expanded = new Set(nodes.filter((node) => changed.get(node.id) ?? opened.includes(node)).map(({ id }) => id));
  const shown = visibleNodes(nodes, expanded);
  const powers = format.column(
    'power',
    nodes.flatMap(({ children = [] }) => children.map(({ device }) => device?.nowW ?? null)),
  );
  const energies = format.column(
    'energy',
    nodes.flatMap(({ children = [] }) => children.map(({ device }) => device?.todayWh ?? null)),
  );

  const expand = (id: string, open: boolean) => setChanged(new Map([...changed, [id, open]]));
  const open = (node: TreeNode) => {
    if (node.device) openScreen(deviceTarget(node.device, isIntegrators));
    else expand(node.id, !expanded.has(node.id));
  };
  const keys = useTreeKeys<TreeNode, HTMLTableSectionElement>({ shown, expand, select: open });

  const allOpen = branchIds(nodes, 1).every((id) => expanded.has(id));
  return (
    <div className={`${tables.frame} ${styles.frame}`} aria-busy={isFetching}>
      {error && (
        <div className={tables.error}>
          <ErrorNotice error={error} retry={() => void refetch()} keepsShown={data !== undefined} />
        </div>
      )}
      {!data && !error && (
        <div className={tables.error}>
          <LoadingSkeleton>
            <Skeleton height="20rem" />
          </LoadingSkeleton>
        </div>
      )}
      {data && nodes.length === 0 && <EmptyList list={list} />}
      {nodes.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={tables.scroll} tabIndex={0} aria-label={t('devices.tree.title')}>
          {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern of a treegrid is a table whose rows open */}
          <table className={look} role="treegrid" aria-label={t('devices.tree.title')} onKeyDown={keys.onKeyDown}>
            <thead>
              <tr>
                <th scope="col">{t('devices.tree.device')}</th>
                <th scope="col">{t('devices.tree.does')}</th>
                <th scope="col">{t('devices.field.state')}</th>
                <th scope="col" data-align="end" data-wide>
                  {t('devices.tree.signal')} <span className={tables.unit}>{SIGNAL_UNIT}</span>
                </th>
                <th scope="col" data-align="end">
                  {t('devices.tree.now')} <span className={tables.unit}>{powers.unit}</span>
                </th>
                <th scope="col" data-align="end" data-wide>
                  {t('devices.field.todayWh')} <span className={tables.unit}>{energies.unit}</span>
                </th>
                <th scope="col" data-wide>
                  {t('devices.field.firmware')}
                </th>
                <th scope="col">{t('devices.field.updatedAtMs')}</th>
              </tr>
            </thead>
            <BriefFreshness value>
              <RefreshedEvery value={REFRESH_MS}>
                <tbody ref={keys.root} data-ages>
                  {shown.map(({ node, level, position, siblings, expanded: isOpen }) => {
                    const row = {
                      'aria-level': level,
                      'aria-posinset': position,
                      'aria-setsize': siblings,
                      'aria-expanded': isOpen,
                      ...keys.nodeProps(node.id),
                      tabIndex: keys.tabIndexOf(node.id),
                      onClick: () => {
                        keys.focus(node.id);
                        open(node);
                      },
                    } as const;
                    return node.device ? (
                      <DeviceRowOfTree
                        key={node.id}
                        row={row}
                        device={node.device}
                        explained={node.logger?.isOnline === false}
                        power={powers.text(node.device.nowW)}
                        unit={powers.unit}
                        energy={energies.text(node.device.todayWh)}
                        isLast={position === siblings}
                      />
                    ) : (
                      node.logger && <LoggerRow key={node.id} row={row} logger={node.logger} isOpen={isOpen === true} />
                    );
                  })}
                </tbody>
              </RefreshedEvery>
            </BriefFreshness>
          </table>
        </section>
      )}
      {data && data.total > 0 && (
        <footer className={tables.foot}>
          <Button small look="plain" onClick={() => setChanged(new Map(nodes.map(({ id }) => [id, !allOpen])))}>
            {t(allOpen ? 'devices.tree.closeAll' : 'devices.tree.openAll')}
          </Button>
          <div className={tables.pager}>
            <Pager
              currentPage={currentPage}
              pageSize={pageSize}
              total={data.total}
              onChange={(change) => list.set(change as Partial<typeof list.value>)}
            />
          </div>
        </footer>
      )}
    </div>
  );
}
