import type { SiteDay, SiteLive } from '@sonnenwarte/contract/sites/site';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flowView } from './flow-model.ts';
import { replayedLive } from './replayed.ts';

const node = { powerW: 1, online: false, derived: true, deviceID: 'd', sn: 's' };

const live = (has: { battery: boolean; charger: boolean; external: boolean; gateway: boolean }): SiteLive => ({
  stationID: 'x',
  name: 'x',
  state: 'offline',
  status: 3,
  asOfMs: 0,
  intervalS: 60,
  pv: node,
  external: has.external ? node : null,
  battery: has.battery ? { ...node, socPercent: 1, capacityWh: 10_000 } : null,
  inverter: { ...node, workMode: 2, count: 1 },
  gateway: has.gateway ? { ...node, onGrid: true } : null,
  grid: node,
  load: node,
  charger: has.charger ? { ...node, status: 'charging' } : null,
  todayWh: null,
  todayQuality: 'measured',
  historyPercent: null,
  recalculating: false,
});

const dayOf = (at: Partial<Record<keyof SiteDay, number | null>>): SiteDay => ({
  date: '2026-06-21',
  ianaTimezone: 'Europe/Berlin',
  startMs: 0,
  endMs: 300_000,
  bucketMs: 300_000,
  tsMs: [0],
  pvW: [at.pvW ?? null],
  externalW: [at.externalW ?? null],
  batteryW: [at.batteryW ?? null],
  gridW: [at.gridW ?? null],
  loadW: [at.loadW ?? null],
  chargerW: [at.chargerW ?? null],
  socPercent: [at.socPercent ?? null],
  clearSkyW: null,
  sunriseMs: null,
  sunsetMs: null,
  earlierDay: null,
});

const watts = fc.double({ min: 0, max: 60_000, noNaN: true });

describe('a moment of the day as the flow shows it', () => {
  test('adds up as it is drawn, for every kind of plant, however old the live values are', () => {
    fc.assert(
      fc.property(
        fc.record({ battery: fc.boolean(), charger: fc.boolean(), external: fc.boolean(), gateway: fc.boolean() }),
        watts,
        fc.double({ min: -20_000, max: 20_000, noNaN: true }),
        watts,
        watts,
        watts,
        (has, pvW, battery, load, charger, external) => {
          const batteryW = has.battery ? battery : null;
          const chargerW = has.charger ? charger : null;
          const externalW = has.external ? external : null;
          const gridW = load + (chargerW ?? 0) - pvW - (batteryW ?? 0) - (externalW ?? 0);
          const day = dayOf({ pvW, batteryW, loadW: load, chargerW, externalW, gridW, socPercent: 50 });
          const view = flowView(replayedLive(live(has), day, 0));
          const of = (name: string): number => view.nodes.find((each) => each.name === name)?.powerW ?? 0;
          const moving = view.nodes.filter(({ name, idle }) => name !== 'gateway' && name !== 'pv' && !idle);
          if (moving.length > 1) {
            const rest = of('inverter') + of('external') + of('grid') - of('load') - of('charger');
            expect(Math.abs(rest)).toBeLessThan(1e-6);
          }
          expect(view.nodes.every(({ online }) => online)).toBe(true);
        },
      ),
    );
  });

  test('says of a gap that nothing was measured, and no work mode, and keeps the nodes that the plant has', () => {
    const has = { battery: true, charger: true, external: true, gateway: true };
    const past = replayedLive(live(has), dayOf({}), 0);
    const view = flowView(past);
    expect(view.nodes.map(({ name }) => name)).toEqual(flowView(live(has)).nodes.map(({ name }) => name));
    for (const each of view.nodes) if (each.name !== 'gateway') expect(each.activity).toBe('notMeasured');
    expect(past.inverter?.workMode).toBeNull();
    expect(past.battery?.socPercent).toBeNull();
  });
});
