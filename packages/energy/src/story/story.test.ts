import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type StoryFacts, storyOf } from './story.ts';

const nothing: StoryFacts['now'] = {
  generationWh: null,
  consumptionWh: null,
  purchaseWh: null,
  toHouseWh: null,
  toCarWh: null,
  toBatteryWh: null,
  toGridWh: null,
  lossWh: null,
  selfSufficiencyPercent: null,
};

const day: StoryFacts['now'] = {
  ...nothing,
  generationWh: 20_000,
  consumptionWh: 12_000,
  purchaseWh: 2_000,
  toHouseWh: 5_000,
  toCarWh: 0,
  toBatteryWh: 6_000,
  toGridWh: 9_000,
  selfSufficiencyPercent: 83.3,
};

const facts = (change: Partial<StoryFacts> = {}): StoryFacts => ({
  span: 'day',
  isRunning: false,
  isBeforeSunrise: false,
  now: day,
  beforeWh: 16_000,
  earlierDaysWh: [],
  days: { over: 1, known: 1 },
  alarms: { worst: null, count: 0 },
  gap: null,
  drop: null,
  ...change,
});

const alarm = (level: number) => ({ code: 2006, level, sinceMs: 0, untilMs: 1 });

describe('what the sun gave', () => {
  test('is compared with the day before, of a running day up to the same time', () => {
    expect(storyOf(facts()).sun).toEqual({ kind: 'more', energyWh: 20_000, percent: 25, other: 'before' });
    expect(storyOf(facts({ isRunning: true })).sun).toMatchObject({ other: 'beforeByNow' });
    expect(storyOf(facts({ beforeWh: 20_050 })).sun).toEqual({ kind: 'same', energyWh: 20_000, other: 'before' });
  });

  test('is compared with the mean of the days before where that is missed by far, of a whole day only', () => {
    const earlierDaysWh = Array.from({ length: 30 }, () => 40_000);
    expect(storyOf(facts({ earlierDaysWh })).sun).toEqual({
      kind: 'less',
      energyWh: 20_000,
      percent: 50,
      other: 'mean',
    });
    expect(storyOf(facts({ earlierDaysWh, isRunning: true })).sun).toMatchObject({
      kind: 'more',
      other: 'beforeByNow',
    });
    expect(storyOf(facts({ earlierDaysWh: earlierDaysWh.slice(0, 9) })).sun).toMatchObject({ other: 'before' });
    expect(storyOf(facts({ earlierDaysWh: earlierDaysWh.map(() => 19_000) })).sun).toMatchObject({ other: 'before' });
  });

  test('is told alone where there is nothing to compare with, and not at all where it is not known', () => {
    expect(storyOf(facts({ beforeWh: null })).sun).toEqual({ kind: 'plain', energyWh: 20_000 });
    expect(storyOf(facts({ beforeWh: 20 })).sun).toEqual({ kind: 'plain', energyWh: 20_000 });
    expect(storyOf(facts({ now: nothing }))).toEqual({ sun: { kind: 'unknown' }, use: null, unusual: null });
  });

  test('is still to come before sunrise', () => {
    const now = { ...day, generationWh: 0 };
    expect(storyOf(facts({ now, isRunning: true, isBeforeSunrise: true })).sun).toEqual({ kind: 'notYet' });
    expect(storyOf(facts({ now, isRunning: true })).sun).toMatchObject({ kind: 'less', percent: 100 });
  });
});

describe('where it went', () => {
  test('names the parts by their size, without those that are nothing', () => {
    expect(storyOf(facts()).use).toEqual({
      kind: 'parts',
      parts: [
        { to: 'grid', energyWh: 9_000 },
        { to: 'battery', energyWh: 6_000 },
        { to: 'house', energyWh: 5_000 },
      ],
      selfSufficiencyPercent: 83.3,
    });
  });

  test('adds up to what the sun gave: with what was lost, and what nothing has measured', () => {
    const partsOf = (now: Partial<StoryFacts['now']>) => {
      const { use } = storyOf(facts({ now: { ...day, ...now } }));
      return use?.kind === 'parts' ? Object.fromEntries(use.parts.map(({ to, energyWh }) => [to, energyWh])) : null;
    };
    expect(partsOf({ toHouseWh: 4_300, lossWh: 700 })).toEqual({
      grid: 9_000,
      battery: 6_000,
      house: 4_300,
      loss: 700,
    });
    expect(partsOf({ toHouseWh: 3_000, lossWh: 700 })).toMatchObject({ loss: 700, undivided: 1_300 });
    expect(partsOf({ lossWh: 700 })).not.toHaveProperty('loss');
  });

  test('is what was bought where the sun gave nothing, and nothing where that is not known', () => {
    const dark = { ...day, generationWh: 0 };
    expect(storyOf(facts({ now: dark })).use).toEqual({ kind: 'bought', consumptionWh: 12_000, purchaseWh: 2_000 });
    expect(storyOf(facts({ now: { ...dark, purchaseWh: null } })).use).toBeNull();
  });
});

describe('what was unusual', () => {
  const drop = { fromMs: 0, toMs: 1, lostWh: 1_000 };
  const gap = { fromMs: 0, toMs: 1 };
  const record = Array.from({ length: 30 }, (_, place) => 10_000 + place);

  test('is one fact: a fault before silence, before a warning that is over, before a drop, before a record', () => {
    const all = { alarms: { worst: alarm(3), count: 3 }, gap, drop, earlierDaysWh: record };
    expect(storyOf(facts(all)).unusual).toEqual({ kind: 'alarm', alarm: alarm(3), others: 2 });
    const warned = { ...all, alarms: { worst: alarm(2), count: 1 } };
    expect(storyOf(facts(warned)).unusual).toEqual({ kind: 'gap', ...gap });
    expect(storyOf(facts({ ...warned, gap: null })).unusual).toEqual({ kind: 'alarm', alarm: alarm(2), others: 0 });
    const quiet = { ...warned, alarms: { worst: null, count: 0 }, gap: null };
    expect(storyOf(facts(quiet)).unusual).toEqual({ kind: 'drop', ...drop });
    expect(storyOf(facts({ ...quiet, drop: null })).unusual).toEqual({ kind: 'best' });
  });

  test('is the alarm that still stands, of whatever level, before all else', () => {
    const standing = { ...alarm(2), untilMs: null };
    const all = { alarms: { worst: standing, count: 1 }, gap, drop, earlierDaysWh: record };
    expect(storyOf(facts(all)).unusual).toEqual({ kind: 'alarm', alarm: standing, others: 0 });
  });

  test('is no drop that cost little, and no record among few days or of a running one', () => {
    expect(storyOf(facts({ drop: { ...drop, lostWh: 900 } })).unusual).toEqual({ kind: 'nothing' });
    expect(storyOf(facts({ earlierDaysWh: record.slice(0, 26) })).unusual).toEqual({ kind: 'nothing' });
    expect(storyOf(facts({ earlierDaysWh: record, isRunning: true })).unusual).toEqual({ kind: 'nothing' });
    expect(storyOf(facts({ earlierDaysWh: record.map((wh) => wh + 20_000) })).unusual).toEqual({ kind: 'worst' });
  });

  test('is that a whole span needed no grid, and that days of it are missing', () => {
    expect(storyOf(facts({ now: { ...day, purchaseWh: 20 } })).unusual).toEqual({ kind: 'independent' });
    expect(storyOf(facts({ now: { ...day, purchaseWh: 20 }, isRunning: true })).unusual).toEqual({ kind: 'nothing' });
    const week = { span: 'week' as const, days: { over: 7, known: 5 } };
    expect(storyOf(facts(week)).unusual).toEqual({ kind: 'missingDays', days: 2 });
  });
});

test('every energy of a story is one of the facts, or what its parts leave of the generation', () => {
  const energy = fc.option(fc.integer({ min: 0, max: 100_000 }));
  const now = fc.record({
    generationWh: energy,
    consumptionWh: energy,
    purchaseWh: energy,
    toHouseWh: energy,
    toCarWh: energy,
    toBatteryWh: energy,
    toGridWh: energy,
    lossWh: energy,
    selfSufficiencyPercent: fc.option(fc.integer({ min: 0, max: 100 })),
  });
  fc.assert(
    fc.property(now, energy, fc.boolean(), (each, beforeWh, isRunning) => {
      const { sun, use } = storyOf(facts({ now: each, beforeWh, isRunning }));
      const told = [
        ...('energyWh' in sun ? [sun.energyWh] : []),
        ...(use?.kind === 'parts'
          ? use.parts.filter(({ to }) => to !== 'loss' && to !== 'undivided').map(({ energyWh }) => energyWh)
          : []),
        ...(use?.kind === 'bought' ? [use.consumptionWh, use.purchaseWh] : []),
      ];
      const known = Object.values(each);
      for (const wh of told) expect(known).toContain(wh);
      if (use?.kind !== 'parts') return;
      const sumWh = use.parts.reduce((sum, { energyWh }) => sum + energyWh, 0);
      const takenWh = (each.toHouseWh ?? 0) + (each.toCarWh ?? 0) + (each.toBatteryWh ?? 0) + (each.toGridWh ?? 0);
      expect(sumWh).toBe(Math.max(each.generationWh ?? 0, takenWh));
    }),
  );
});
