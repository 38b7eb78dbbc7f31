import type { SiteLive } from '@sonnenwarte/contract/sites/site';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cardWordOf, flowView, isIdle, scaleOf, TOLERANCE_W, tempo } from './flow-model.ts';

const node = (powerW: number | null, derived = false) => ({ powerW, online: true, derived, deviceID: null, sn: null });

const live = (change: Partial<SiteLive> = {}): SiteLive => ({
  stationID: '00000000-0000-4000-8000-000000000001',
  name: 'Lindenblick',
  state: 'normal',
  status: 1,
  asOfMs: 0,
  intervalS: 10,
  pv: node(6844),
  external: node(1117),
  battery: { ...node(-2461), socPercent: 72, capacityWh: 10_000 },
  inverter: { ...node(4383), workMode: 1, count: 1 },
  gateway: { ...node(5500), onGrid: true },
  grid: node(-1380),
  load: node(2306, true),
  charger: { ...node(1814), status: 'charging' },
  todayQuality: 'measured',
  historyPercent: null,
  recalculating: false,
  todayWh: 38_400,
  ...change,
});

const drawn = (view: ReturnType<typeof flowView>) => {
  const of = (name: string) => view.nodes.find((each) => each.name === name)?.powerW ?? 0;
  return { of, bus: of('inverter') + of('external') + of('grid') - of('load') - of('charger') };
};

describe('the live flow', () => {
  test.each([
    [720, 1, true, 'flow.workMode.1'],
    [-720, 4, true, 'flow.activity.drawing'],
    [720, null, true, 'flow.activity.feeding'],
    [720, 9, true, 'flow.activity.feeding'],
    [720, 1, false, 'flow.activity.offline'],
  ])('an inverter of %d W in mode %o that is online: %o says %s', (powerW, workMode, online, word) => {
    const view = flowView(live({ inverter: { ...node(powerW), online, workMode, count: 1 } }));
    expect(view.nodes.filter(({ name }) => name === 'inverter').map(cardWordOf)).toEqual([word]);
  });

  test('draws powers that add up at the AC bus and at the inverter', () => {
    const { of, bus } = drawn(flowView(live()));
    expect(bus).toBe(0);
    expect(of('pv') + of('battery')).toBe(of('inverter'));
    expect(of('gateway')).toBe(of('load') + of('charger') - of('grid'));
  });

  test('adds up whatever the powers are, and bends none by more than its share of rounding and rest', () => {
    const watts = fc.double({ min: 0, max: 9_000, noNaN: true });
    fc.assert(
      fc.property(
        watts,
        watts,
        watts,
        fc.double({ min: -9_000, max: 9_000, noNaN: true }),
        (inverter, external, charger, grid) => {
          const load = inverter + external + grid - charger;
          fc.pre(load >= 0);
          const view = flowView(
            live({
              pv: node(inverter),
              battery: null,
              inverter: { ...node(inverter), workMode: null, count: 1 },
              external: node(external),
              grid: node(grid),
              load: node(load, true),
              charger: { ...node(charger), status: null },
            }),
          );
          const { of, bus } = drawn(view);
          const moving = view.nodes.filter((each) => each.name !== 'gateway' && each.name !== 'pv' && !each.idle);
          if (moving.length > 1) expect(Math.abs(bus)).toBeLessThan(1e-6);
          for (const [name, exact] of Object.entries({ inverter, external, grid, load, charger })) {
            expect(Math.abs(of(name) - exact)).toBeLessThanOrEqual(5 * (TOLERANCE_W + view.scale.stepW));
          }
        },
      ),
    );
  });

  test('draws only the nodes that the plant has', () => {
    const view = flowView(live({ external: null, battery: null, gateway: null, charger: null }));
    expect(view.nodes.map((each) => each.name)).toEqual(['pv', 'inverter', 'grid', 'load']);
    expect(view.edges.map((each) => each.name)).toEqual(['pv', 'ac', 'grid', 'load']);
  });

  test('meets at a bus bar where there is no gateway, so that bought power never seems to run through the inverter', () => {
    expect(flowView(live({ gateway: null })).hub).toBe('bus');
    expect(flowView(live({ gateway: null, external: null })).hub).toBe('bus');
  });

  test('turns a line round with its sign: export leaves, import and discharge arrive', () => {
    const reverse = (change: Partial<SiteLive>, name: string) =>
      flowView(live(change)).edges.find((edge) => edge.name === name)?.reverse;
    expect(reverse({ grid: node(-1380) }, 'grid')).toBe(false);
    expect(reverse({ grid: node(1380) }, 'grid')).toBe(true);
    expect(reverse({}, 'battery')).toBe(true);
    expect(reverse({}, 'pv')).toBe(false);
  });

  test('keeps what lies within the tolerance band at rest', () => {
    const view = flowView(live({ grid: node(TOLERANCE_W) }));
    const grid = view.nodes.find((each) => each.name === 'grid');
    expect(grid).toMatchObject({ powerW: 0, idle: true, activity: 'balanced' });
    expect(view.edges.find((each) => each.name === 'grid')?.idle).toBe(true);
    expect(isIdle(TOLERANCE_W + 0.1)).toBe(false);
  });

  test('shows what was not measured as such and not as zero', () => {
    const view = flowView(live({ load: node(null) }));
    expect(view.nodes.find((each) => each.name === 'load')).toMatchObject({ powerW: null, activity: 'notMeasured' });
  });

  test('stops the line of a node that is offline', () => {
    const view = flowView(live({ pv: { ...node(6844), online: false } }));
    expect(view.nodes.find((each) => each.name === 'pv')?.activity).toBe('offline');
    expect(view.edges.find((each) => each.name === 'pv')?.idle).toBe(true);
  });

  test('marks an inverter power that it had to derive', () => {
    const view = flowView(live({ inverter: { ...node(null), workMode: null, count: 1 } }));
    expect(view.nodes.find((each) => each.name === 'inverter')).toMatchObject({ derived: true, powerW: 4380 });
  });
});

test('all powers of a picture share one unit', () => {
  expect(scaleOf(9_000)).toMatchObject({ unit: 'kW', decimals: 2 });
  expect(scaleOf(48_000)).toMatchObject({ unit: 'kW', decimals: 1 });
  expect(scaleOf(2_000_000)).toMatchObject({ unit: 'MW', decimals: 2 });
});

test('dots never run slower for more power', () => {
  fc.assert(
    fc.property(fc.nat(20_000), fc.nat(20_000), (a, b) => {
      const [less, more] = a < b ? [a, b] : [b, a];
      expect(tempo(less, 10_000)).toBeLessThanOrEqual(tempo(more, 10_000));
    }),
  );
});

test('an offline node keeps its last power, marked as offline and without a moving line', () => {
  const view = flowView(live({ pv: { ...node(6844), online: false } }));
  expect(view.nodes.find((each) => each.name === 'pv')).toMatchObject({
    powerW: 6840,
    online: false,
    activity: 'offline',
  });
});
