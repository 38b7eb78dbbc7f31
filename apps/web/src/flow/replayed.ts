import type { FlowNode, SiteDay, SiteLive } from '@sonnenwarte/contract/sites/site';

const sumOfKnown = (...parts: (number | null)[]): number | null => {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? null : known.reduce((sum, part) => sum + part, 0);
};

/**
 * The flow picture of a plant at a moment of a day: the mean powers of that bucket, which add up as those of now do, on the nodes that
 * the plant has now. What the day does not tell, such as a work mode, is not said.
 */
export function replayedLive(live: SiteLive, day: SiteDay, index: number): SiteLive {
  const at = (series: readonly (number | null)[]): number | null => series[index] ?? null;
  const node = <N extends FlowNode>(now: N | null, powerW: number | null): N | null =>
    now && { ...now, powerW, online: true, derived: false };
  const pvW = at(day.pvW);
  const batteryW = at(day.batteryW);
  const battery = node(live.battery, batteryW);
  const inverter = node(live.inverter, sumOfKnown(live.pv ? pvW : null, live.battery ? batteryW : null));
  const gateway = node(live.gateway, null);
  return {
    ...live,
    state: 'normal',
    status: 1,
    asOfMs: day.tsMs[index] ?? null,
    pv: node(live.pv, pvW),
    external: node(live.external, at(day.externalW)),
    battery: battery && { ...battery, socPercent: at(day.socPercent) },
    inverter: inverter && { ...inverter, workMode: null },
    gateway: gateway && { ...gateway, onGrid: null },
    grid: node(live.grid, at(day.gridW)),
    load: node(live.load, at(day.loadW)),
    charger: node(live.charger, at(day.chargerW)),
  };
}
