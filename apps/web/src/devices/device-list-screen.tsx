import type { DeviceRow } from '@sonnenwarte/contract/devices/device';
import { type ListedKind, statusAll } from '@sonnenwarte/contract/devices/devices';
import type { ListEndpoint } from '@sonnenwarte/contract/endpoint';
import { LEVEL } from '@sonnenwarte/contract/levels';
import type { Quality } from '@sonnenwarte/contract/status';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceTarget } from '../blocks/devices/detail-target.ts';
import { KindStrip } from '../blocks/devices/kind-strip.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { FieldFilter, ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { StateChips } from '../blocks/list/state-chips.tsx';
import { type FilteredList, useFilters, useList } from '../blocks/list/use-list.ts';
import { MarkLegend } from '../blocks/show/key-figure.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { useGlobalState } from '../state/global-state.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useTab, useTabQuery } from '../tabs/tab-context.ts';
import { useChosenDevices } from './chosen-devices.tsx';
import styles from './devices.module.css';
import { batteries, emsUnits, type Family, gateways, inverters, meters } from './families.tsx';

const DeviceTree = lazy(async () => ({ default: (await import('./device-tree.tsx')).DeviceTree }));

const REFRESH_MS = 30_000;

interface FamilyProps<L extends ListEndpoint> {
  family: Family<L>;
}

/** Under which the columns of a kind are kept; those of inverters as they always were. */
const storedAs = (kind: string): string => (kind === 'inverter' ? 'devices' : `devices-${kind}`);

/** Whether a screen shows what is granted to an integrator. */
function useIsIntegrators(): boolean {
  const { name } = useTab();
  const access = useGlobalState((global) => global.access);
  return name.startsWith('integrator-') || access === LEVEL.integrator;
}

/** The list of a kind of devices, or its tree below the dataloggers, as the address says. */
function FamilyScreen<const L extends ListEndpoint>({ family }: FamilyProps<L>): ReactNode {
  const [query] = useTabQuery();
  return query.view === 'tree' ? <FamilyTree family={family} /> : <FamilyList family={family} />;
}

function FamilyList<const L extends ListEndpoint>({ family }: FamilyProps<L>): ReactNode {
  const label = useRouteLabel();
  const phone = useIsPhone();
  const isIntegrators = useIsIntegrators();
  const devices = useList(family.list, { refreshMs: REFRESH_MS });
  const columns = useColumns(devices, useShownFields(family, phone));
  const selection = useChosenDevices({ family, devices, columns });
  const rows = (devices.rows ?? []) as readonly DeviceRow[];
  const title = label(useTab().name);
  return (
    <ListScreen
      title={title}
      list={devices}
      storedAs={storedAs(family.kind)}
      actions={<ExportButton endpoint={family.file} list={devices} columns={columns} />}
      summary={<Above family={family} devices={devices} />}
      filters={
        <>
          <ListSearch list={devices} />
          <FieldFilter list={devices} field={'state' as never} />
          {family.filters?.(devices)}
        </>
      }
    >
      <DataTable
        list={devices}
        columns={columns}
        selection={selection}
        name={title}
        storedAs={storedAs(family.kind)}
        rowName={(row) => (row as DeviceRow).deviceSN}
        target={(row) => deviceTarget(row as DeviceRow, isIntegrators)}
      />
      {family.kind === 'inverter' && <MarkLegend qualities={rows.map(({ todayQuality }): Quality => todayQuality)} />}
    </ListScreen>
  );
}

/** Integrators read no settings, so that they are told of none that drifted. */
function useShownFields<L extends ListEndpoint>(family: Family<L>, phone: boolean): Family<L>['shown'] {
  const access = useGlobalState((global) => global.access);
  const shown = phone ? family.shownOnPhone : family.shown;
  return useMemo(
    () => (access === LEVEL.integrator ? shown.filter(({ field }) => String(field) !== 'drifts') : shown),
    [access, shown],
  );
}

function FamilyTree<const L extends ListEndpoint>({ family }: FamilyProps<L>): ReactNode {
  const label = useRouteLabel();
  const { name } = useTab();
  const isIntegrators = useIsIntegrators();
  const devices = useFilters(family.list);
  return (
    <ListScreen
      title={label(name)}
      list={devices}
      storedAs={storedAs(family.kind)}
      summary={<Above family={family} devices={devices} />}
      filters={
        <>
          <ListSearch list={devices} />
          <FieldFilter list={devices} field={'state' as never} />
        </>
      }
    >
      <Suspense
        fallback={
          <LoadingSkeleton>
            <Skeleton height="20rem" />
          </LoadingSkeleton>
        }
      >
        <DeviceTree kind={family.kind} list={devices} isIntegrators={isIntegrators} />
      </Suspense>
    </ListScreen>
  );
}

/** Kinds, list or tree, and how many need a hand. */
function Above<const L extends ListEndpoint>({
  family: { kind },
  devices,
}: FamilyProps<L> & { devices: FilteredList<L> }): ReactNode {
  const { t } = useTranslation();
  const { name } = useTab();
  const [query, setQuery] = useTabQuery();
  const { view = 'list', ...others } = query;
  const granted = name === 'integrator-device-list';
  const deviating = { field: 'deviates', countedAs: 'deviating', label: t('devices.deviates') };
  return (
    <>
      <div className={styles.kinds}>
        {name !== 'integrator-inverter' && (
          <KindStrip current={kind} {...(granted && { among: grantedKinds, target: grantedTarget })} />
        )}
        <Segmented
          label={t('devices.tree.view')}
          value={view === 'tree' ? 'tree' : 'list'}
          options={[
            { value: 'list', label: t('devices.tree.list') },
            { value: 'tree', label: t('devices.tree.tree') },
          ]}
          onChange={(chosen) => {
            const { currentPage: _, ...kept } = others;
            setQuery(chosen === 'tree' ? { ...kept, view: 'tree' } : kept);
          }}
        />
      </div>
      <StateChips list={devices} countedBy={statusAll} asks={{ kind }} refreshMs={REFRESH_MS} further={deviating} />
    </>
  );
}

const grantedKinds = ['inverter', 'battery', 'ems', 'gateway', 'meter'] as const;
const grantedTarget = (kind: ListedKind) => ({
  to: 'integrator-device-list' as const,
  ...(kind !== 'inverter' && { query: { kind } }),
});

export const InverterListScreen = (): ReactNode => <FamilyScreen family={inverters} />;
export const BatteryListScreen = (): ReactNode => <FamilyScreen family={batteries} />;
export const EmsListScreen = (): ReactNode => <FamilyScreen family={emsUnits} />;
export const GatewayListScreen = (): ReactNode => <FamilyScreen family={gateways} />;
export const MeterListScreen = (): ReactNode => <FamilyScreen family={meters} />;

/** What is granted to an integrator, kind by kind. */
export function GrantedListScreen(): ReactNode {
  const [{ kind }] = useTabQuery();
  switch (kind) {
    case 'battery':
      return <BatteryListScreen />;
    case 'ems':
      return <EmsListScreen />;
    case 'gateway':
      return <GatewayListScreen />;
    case 'meter':
      return <MeterListScreen />;
    default:
      return <InverterListScreen />;
  }
}
