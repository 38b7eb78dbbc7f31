import type { SiteLive } from '@sonnenwarte/contract/sites/site';

/** Powers within this band of zero are rest: grey and still. */
export const TOLERANCE_W = 20;

export const nodeNames = ['pv', 'battery', 'external', 'inverter', 'gateway', 'grid', 'load', 'charger'] as const;
export type NodeName = (typeof nodeNames)[number];

export const edgeNames = ['pv', 'battery', 'external', 'ac', 'grid', 'load', 'charger'] as const;
export type EdgeName = (typeof edgeNames)[number];

export type Activity =
  | 'producing'
  | 'noSun'
  | 'idle'
  | 'charging'
  | 'discharging'
  | 'importing'
  | 'exporting'
  | 'balanced'
  | 'consuming'
  | 'feeding'
  | 'drawing'
  | 'onGrid'
  | 'offGrid'
  | 'offline'
  | 'notMeasured';

export interface FlowNodeView {
  readonly name: NodeName;
  /** As drawn: signed, rounded so that all powers of the picture add up; `null` = not measured. */
  readonly powerW: number | null;
  readonly activity: Activity;
  readonly idle: boolean;
  readonly online: boolean;
  readonly derived: boolean;
  readonly deviceID: string | null;
  readonly sn: string | null;
  readonly socPercent: number | null;
  readonly capacityWh: number | null;
  readonly workMode: number | null;
  readonly count: number;
}

export interface FlowEdgeView {
  readonly name: EdgeName;
  readonly powerW: number;
  readonly idle: boolean;
  /** Against the drawn direction (source to hub, hub to consumer). */
  readonly reverse: boolean;
}

/** Where the AC lines meet: the gateway, else a bus bar. */
export type Hub = 'gateway' | 'bus';

const workModes = [1, 2, 3, 4, 5] as const;

/** The work mode that a node is in, where one is known and the device is there to hold it. */
export function workModeOf({ workMode, online }: FlowNodeView): (typeof workModes)[number] | null {
  return (online && workModes.find((mode) => mode === workMode)) || null;
}

/** What stands on a node's card: its work mode, except where power flows against what one expects of it. */
export function cardWordOf(node: FlowNodeView): `flow.workMode.${1 | 2 | 3 | 4 | 5}` | `flow.activity.${Activity}` {
  const mode = workModeOf(node);
  return mode && node.activity !== 'drawing' ? `flow.workMode.${mode}` : `flow.activity.${node.activity}`;
}

/** The common unit of all powers of one picture. */
export interface FlowScale {
  readonly unit: 'kW' | 'MW';
  readonly divisor: number;
  readonly decimals: number;
  readonly stepW: number;
}

export interface FlowView {
  readonly hub: Hub;
  readonly nodes: readonly FlowNodeView[];
  readonly edges: readonly FlowEdgeView[];
  readonly scale: FlowScale;
  /** Largest power of the picture, W. */
  readonly largestW: number;
}

export function scaleOf(largestW: number): FlowScale {
  if (largestW < 9_995) return { unit: 'kW', divisor: 1e3, decimals: 2, stepW: 10 };
  if (largestW < 99_950) return { unit: 'kW', divisor: 1e3, decimals: 1, stepW: 100 };
  if (largestW < 999_500) return { unit: 'kW', divisor: 1e3, decimals: 0, stepW: 1_000 };
  if (largestW < 9_995_000) return { unit: 'MW', divisor: 1e6, decimals: 2, stepW: 10_000 };
  return { unit: 'MW', divisor: 1e6, decimals: 1, stepW: 100_000 };
}

export const isIdle = (powerW: number | null): boolean => powerW === null || Math.abs(powerW) <= TOLERANCE_W;

/** A term of a balance that must come to zero. */
interface Term {
  readonly name: NodeName;
  readonly sign: 1 | -1;
  readonly fixed: boolean;
}

type Powers = Map<NodeName, number>;

/**
 * Rounds the powers of one balance to the picture's step so that they add up as drawn. Rounding differences go, step by
 * step, to the power that is bent least by it; what rests stays at zero. A balance that does not close is left open.
 */
export function closeBalance(exact: Powers, drawn: Powers, terms: readonly Term[], stepW: number): void {
  const exactOf = (name: NodeName): number => exact.get(name) ?? 0;
  const drawnOf = (name: NodeName): number => drawn.get(name) ?? 0;
  const sum = (of: (name: NodeName) => number): number =>
    terms.reduce((all, term) => all + term.sign * of(term.name), 0);
  const openW = sum(exactOf);
  if (Math.abs(openW) > TOLERANCE_W * terms.length) return;
  const movable = terms.filter((term) => !term.fixed && drawnOf(term.name) !== 0);
  let steps = Math.round(sum(drawnOf) / stepW);
  while (steps !== 0 && movable.length > 0) {
    const direction = steps > 0 ? -1 : 1;
    const errorAfter = ({ name, sign }: Term): number =>
      Math.abs(drawnOf(name) + direction * sign * stepW - exactOf(name)) / Math.max(1, Math.abs(exactOf(name)));
    const chosen = movable.reduce((best, term) => (errorAfter(term) < errorAfter(best) ? term : best));
    drawn.set(chosen.name, drawnOf(chosen.name) + direction * chosen.sign * stepW);
    steps += direction;
  }
}

const known = (node: { powerW: number | null } | null): number | null => node?.powerW ?? null;

/** Power from the inverter to the house: as measured, else what the AC bus needs, else what comes from PV and battery. */
function inverterPowerW(live: SiteLive): { powerW: number | null; derived: boolean } {
  if (!live.inverter) return { powerW: null, derived: false };
  if (live.inverter.powerW !== null) return { powerW: live.inverter.powerW, derived: live.inverter.derived };
  const grid = known(live.grid);
  const load = known(live.load);
  if (grid !== null && load !== null) {
    return { powerW: load + (known(live.charger) ?? 0) - grid - (known(live.external) ?? 0), derived: true };
  }
  const pv = known(live.pv);
  return { powerW: pv === null ? null : pv + (known(live.battery) ?? 0), derived: true };
}

function activityOf(name: NodeName, powerW: number | null, online: boolean, onGrid: boolean | null): Activity {
  if (name === 'gateway') return onGrid === null ? (online ? 'idle' : 'offline') : onGrid ? 'onGrid' : 'offGrid';
  if (!online) return 'offline';
  if (powerW === null) return 'notMeasured';
  const idle = isIdle(powerW);
  switch (name) {
    case 'pv':
      return idle ? 'noSun' : 'producing';
    case 'external':
      return idle ? 'idle' : 'producing';
    case 'battery':
      return idle ? 'idle' : powerW > 0 ? 'discharging' : 'charging';
    case 'grid':
      return idle ? 'balanced' : powerW > 0 ? 'importing' : 'exporting';
    case 'load':
      return idle ? 'idle' : 'consuming';
    case 'charger':
      return idle ? 'idle' : 'charging';
    case 'inverter':
      return idle ? 'idle' : powerW > 0 ? 'feeding' : 'drawing';
  }
}

const hubOf = (live: SiteLive): Hub => (live.gateway ? 'gateway' : 'bus');

/** What the flow draws of the live powers of a plant. A stale picture keeps its figures and rests. */
export function flowView(live: SiteLive): FlowView {
  const inverter = inverterPowerW(live);
  const exact: Powers = new Map();
  const put = (name: NodeName, powerW: number | null): void => {
    if (powerW !== null) exact.set(name, powerW);
  };
  put('pv', known(live.pv));
  put('battery', known(live.battery));
  put('external', known(live.external));
  put('inverter', inverter.powerW);
  put('grid', known(live.grid));
  put('load', known(live.load));
  put('charger', known(live.charger));

  const largestW = Math.max(0, ...[...exact.values()].map(Math.abs));
  const scale = scaleOf(largestW);
  const drawn: Powers = new Map(
    [...exact].map(([name, powerW]) => [name, isIdle(powerW) ? 0 : Math.round(powerW / scale.stepW) * scale.stepW]),
  );

  const term = (name: NodeName, sign: 1 | -1, fixed = false): Term => ({ name, sign, fixed });
  const present = (name: Exclude<NodeName, 'inverter' | 'gateway'>): boolean => live[name] !== null;
  const complete = (names: readonly NodeName[]): boolean => names.every((name) => exact.has(name));
  const source: NodeName[] = live.inverter ? ['inverter'] : (['pv', 'battery'] as const).filter(present);
  const sources = [...source, ...(['external', 'grid'] as const).filter(present)];
  const sinks = (['load', 'charger'] as const).filter(present);
  if (sinks.length > 0 && live.grid && complete([...sources, ...sinks])) {
    closeBalance(
      exact,
      drawn,
      [...sources.map((name) => term(name, 1)), ...sinks.map((name) => term(name, -1))],
      scale.stepW,
    );
  }
  const dc = (['pv', 'battery'] as const).filter(present);
  if (live.inverter && dc.length > 0 && complete([...dc, 'inverter'])) {
    closeBalance(exact, drawn, [...dc.map((name) => term(name, 1)), term('inverter', -1, true)], scale.stepW);
  }

  const through = (drawn.get('inverter') ?? 0) + (drawn.get('external') ?? 0);
  const shownW = (name: NodeName): number | null =>
    name === 'gateway'
      ? exact.has('inverter') || exact.has('external')
        ? through
        : known(live.gateway)
      : (drawn.get(name) ?? null);

  const nodes = nodeNames.flatMap((name): FlowNodeView[] => {
    const node = live[name];
    if (!node) return [];
    const powerW = shownW(name);
    const onGrid = live.gateway?.onGrid ?? null;
    return [
      {
        name,
        powerW,
        activity: activityOf(name, powerW, node.online, onGrid),
        idle: isIdle(powerW),
        online: node.online,
        derived: name === 'inverter' ? inverter.derived : name !== 'gateway' && node.derived,
        deviceID: node.deviceID,
        sn: node.sn,
        socPercent: name === 'battery' ? (live.battery?.socPercent ?? null) : null,
        capacityWh: name === 'battery' ? (live.battery?.capacityWh ?? null) : null,
        workMode: name === 'inverter' ? (live.inverter?.workMode ?? null) : null,
        count: name === 'inverter' ? (live.inverter?.count ?? 1) : 1,
      },
    ];
  });

  const hub = hubOf(live);
  const onlineOf = (name: NodeName): boolean => live[name]?.online ?? false;
  const edge = (name: EdgeName, node: NodeName, against: (powerW: number) => boolean): FlowEdgeView => {
    const powerW = drawn.get(node) ?? 0;
    return { name, powerW, idle: isIdle(powerW) || !onlineOf(node), reverse: against(powerW) };
  };
  const backwards = (powerW: number): boolean => powerW < 0;
  const edges = [
    ...(['pv', 'battery', 'external'] as const).filter(present).map((name) => edge(name, name, backwards)),
    ...(live.inverter ? [edge('ac', 'inverter', backwards)] : []),
    ...(live.grid ? [edge('grid', 'grid', (powerW) => powerW > 0)] : []),
    ...sinks.map((name) => edge(name, name, backwards)),
  ];
  return { hub, nodes, edges, scale, largestW };
}

/** Rounds of the dots per second: from slow to brisk with the power, never so fast that the eye loses them. */
export function tempo(powerW: number, referenceW: number): number {
  const share = referenceW > 0 ? Math.min(1, Math.abs(powerW) / referenceW) : 0;
  return Math.round((0.38 + 0.72 * Math.sqrt(share)) * 20) / 20;
}
