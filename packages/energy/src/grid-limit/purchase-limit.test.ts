import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Random } from '../random.ts';
import { type DischargingUnit, dividedPurchase, purchaseTargets } from './purchase-limit.ts';

const unit = (id: string, over: Partial<DischargingUnit> = {}): DischargingUnit => ({
  id,
  mostW: 5_000,
  usableWh: 8_000,
  batteryW: 0,
  capW: null,
  leads: false,
  ...over,
});
const drawnUnits = fc
  .array(
    fc.record({
      mostW: fc.integer({ min: 0, max: 50_000 }),
      usableWh: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 200_000 })),
      given: fc.double({ min: -1, max: 1, noNaN: true }),
      cap: fc.option(fc.double({ min: 0, max: 1.5, noNaN: true })),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .map((drawn) =>
    drawn.map(({ mostW, usableWh, given, cap }, place) =>
      unit(`${place}`, {
        mostW,
        usableWh,
        batteryW: given * mostW,
        capW: cap === null ? null : Math.floor(cap * mostW),
      }),
    ),
  );
const regulates = fc.constantFrom('each' as const, 'one' as const);
const drawnPoint = fc.record({
  gridW: fc.integer({ min: -50_000, max: 300_000 }),
  peakLimitW: fc.integer({ min: 0, max: 200_000 }),
  regulates,
});
const sum = (values: Iterable<number>) => [...values].reduce((total, each) => total + each, 0);
const able = (units: readonly DischargingUnit[]) => units.filter(({ mostW, usableWh }) => mostW > 0 && usableWh > 0);

test('shares are never below nought nor above what a battery can give, and never add up to more than is needed', () => {
  fc.assert(
    fc.property(drawnPoint, drawnUnits, (point, units) => {
      const { shares, needW } = dividedPurchase(point, units);
      expect(sum(shares.values())).toBeLessThanOrEqual(needW + 1e-6);
      for (const [id, w] of shares) {
        expect(w).toBeGreaterThanOrEqual(0);
        expect(w).toBeLessThanOrEqual(units.find((each) => each.id === id)?.mostW ?? 0);
      }
    }),
  );
});

test('all that is needed is shared out, but for whole watts, as far as batteries can give it; the rest is told as missing', () => {
  fc.assert(
    fc.property(drawnPoint, drawnUnits, (point, units) => {
      const { shares, needW, missingW } = dividedPurchase(point, units);
      expect(sum(shares.values())).toBeGreaterThan(needW - missingW - units.length - 1e-3);
      expect(missingW).toBeCloseTo(Math.max(0, needW - sum(able(units).map(({ mostW }) => mostW))), 3);
    }),
  );
});

test('an empty battery has no share: the others have it', () => {
  const point = { gridW: 18_000, peakLimitW: 10_000, regulates: 'each' as const };
  const full = dividedPurchase(point, [unit('a'), unit('b')]);
  expect(full.shares.get('a')).toBe(full.shares.get('b'));
  const halved = dividedPurchase(point, [unit('a'), unit('b', { usableWh: 0 })]);
  expect(halved.shares).toEqual(new Map([['a', 5_000]]));
  expect(halved.missingW).toBe(3_100);
});

test('shares are in proportion to the energy that is left', () => {
  const { shares } = dividedPurchase({ gridW: 15_000, peakLimitW: 10_000, regulates: 'each' }, [
    unit('little', { usableWh: 2_000 }),
    unit('much', { usableWh: 6_000 }),
  ]);
  expect(shares).toEqual(
    new Map([
      ['little', 1_275],
      ['much', 3_825],
    ]),
  );
});

test('the same comes out in whatever order inverters are told', () => {
  fc.assert(
    fc.property(drawnPoint, drawnUnits, (point, units) => {
      const [one, other] = [dividedPurchase(point, units), dividedPurchase(point, [...units].reverse())];
      expect(other.reason).toBe(one.reason);
      expect(other.leaderId).toBe(one.leaderId);
      expect([...other.caps].sort()).toEqual([...one.caps].sort());
    }),
  );
});

test('who does not lead may give no more than its share, who leads all it can; a decision that was carried out is no reason for another', () => {
  fc.assert(
    fc.property(drawnPoint, drawnUnits, (point, units) => {
      const decision = dividedPurchase(point, units);
      if (decision.reason !== 'held' && point.regulates === 'each') {
        for (const { id } of able(units)) {
          if (id === decision.leaderId) expect(decision.caps.get(id)).toBeNull();
          else expect(decision.caps.get(id)).toBeLessThanOrEqual(decision.shares.get(id) ?? 0);
        }
      }
      const told = units.map((each) => ({
        ...each,
        capW: decision.caps.get(each.id) ?? null,
        leads: each.id === decision.leaderId,
      }));
      expect(dividedPurchase(point, told).reason).toBe('held');
    }),
  );
});

test('without a measured grid power nobody is told anything: inverters measure by themselves', () => {
  const units = [unit('a', { leads: true }), unit('b', { capW: 1_200 })];
  const decision = dividedPurchase({ gridW: undefined, peakLimitW: 5_000, regulates: 'each' }, units);
  expect(decision).toMatchObject({ reason: 'held', needW: 0, missingW: 0 });
  expect(decision.caps.get('b')).toBe(1_200);
});

test('a parallel group, in which one regulates, keeps its proportion whatever is needed, and is told nothing where the load changes', () => {
  const units = [unit('a', { usableWh: 4_000 }), unit('b', { usableWh: 8_000 })];
  const at = (gridW: number, of: readonly DischargingUnit[]) =>
    dividedPurchase({ gridW, peakLimitW: 10_000, regulates: 'one' }, of);
  const { reason, caps } = at(13_000, units);
  expect(reason).toBe('shared');
  expect(caps).toEqual(
    new Map([
      ['a', 2_500],
      ['b', null],
    ]),
  );
  const told = units.map((each) => ({ ...each, capW: caps.get(each.id) ?? null }));
  expect(at(15_500, told).reason).toBe('held');
  expect(at(19_000, told).reason).toBe('raised');
});

test('the others begin below the one that regulates, both within the limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5_000_000 }), (peakLimitW) => {
      const { leaderW, othersW } = purchaseTargets(peakLimitW);
      expect(othersW).toBeGreaterThanOrEqual(0);
      expect(othersW).toBeLessThanOrEqual(leaderW);
      expect(leaderW).toBeLessThanOrEqual(peakLimitW);
    }),
  );
});

const PEAK_LIMIT_W = 20_000;

/**
 * A second-by-second plant without sun: steps of the load; inverters of which each measures the grid point and corrects half of what it sees within a second,
 * as devices do that know nothing of each other; a portal that decides now and then. They charge by the grid, as far below the limit as devices keep away.
 */
function run(seed: number, secondsOfDecision: number, startWh: readonly number[]) {
  const stream = new Random(seed);
  const units = [15_000, 10_000, 5_000].map((mostW, place) => ({
    id: `${place}`,
    mostW,
    usableWh: startWh[place] ?? 0,
    batteryW: 0,
    capW: null as number | null,
    leads: false,
  }));
  const { leaderW, othersW } = purchaseTargets(PEAK_LIMIT_W);
  let loadW = 8_000;
  let sinceLoadS = 0;
  let commands = 0;
  let charged = false;
  const late: number[] = [];
  const missed: number[] = [];
  for (let second = 0; second < 3_600; second += 1) {
    if (stream.next() < 1 / 120) {
      loadW = 4_000 + stream.next() * 44_000;
      sinceLoadS = 0;
    }
    const gridW = loadW - sum(units.map((each) => each.batteryW));
    const excessW = gridW - PEAK_LIMIT_W;
    if (second > 30 && sinceLoadS > 10) (units.every(({ usableWh }) => usableWh > 50) ? late : missed).push(excessW);
    const isOver = sinceLoadS > 10 && second > 30 && excessW > 0.03 * PEAK_LIMIT_W;
    charged ||= isOver && units.some(({ batteryW }) => batteryW < -1);
    if (second % secondsOfDecision === 0) {
      const { caps, leaderId } = dividedPurchase({ gridW, peakLimitW: PEAK_LIMIT_W, regulates: 'each' }, units);
      for (const each of units) {
        const capW = caps.get(each.id) ?? null;
        if (capW !== each.capW || each.leads !== (each.id === leaderId)) commands += 1;
        each.capW = capW;
        each.leads = each.id === leaderId;
      }
    }
    for (const each of units) {
      const targetW = each.leads ? leaderW : othersW;
      const most = each.usableWh > 0 ? Math.min(each.mostW, each.capW ?? each.mostW) : 0;
      // Each leaves to the others what they charge.
      const least = gridW < targetW - 500 ? -(targetW - 500 - gridW) / 4 : Math.min(0, each.batteryW);
      each.batteryW = Math.max(Math.max(least, -2_000), Math.min(most, each.batteryW + (gridW - targetW) / 2));
      each.usableWh = Math.max(0, each.usableWh - each.batteryW / 3_600);
    }
    sinceLoadS += 1;
  }
  return { worstShare: Math.max(...late) / PEAK_LIMIT_W, commands, charged, missedW: Math.max(0, ...missed) };
}

test.each([[1], [2], [3], [4], [5], [6], [7], [8]])(
  'inverters that each measure the grid point hold the limit within 3 percent ten seconds after any step of the load while they have energy (course $0)',
  (seed) => {
    const { worstShare, commands, charged } = run(seed, 5, [60_000, 30_000, 30_000]);
    expect(worstShare).toBeLessThan(0.03);
    expect(charged).toBe(false);
    // Of 720 decisions with three inverters each.
    expect(commands).toBeLessThan(250);
  },
);

test('where batteries run empty more is bought, and that is told as missing', () => {
  expect(run(3, 5, [900, 600, 600]).missedW).toBeGreaterThan(5_000);
  const empty = [unit('a', { usableWh: 0 }), unit('b', { usableWh: 0 })];
  expect(dividedPurchase({ gridW: 14_000, peakLimitW: 10_000, regulates: 'each' }, empty)).toMatchObject({
    needW: 4_100,
    missingW: 4_100,
    leaderId: undefined,
  });
});
