import { pointByName } from '@sonnenwarte/device-protocol/points/points';
import { describe, expect, test } from 'vitest';
import { HistorySender } from './history-sender.ts';
import { InStep } from './in-step.ts';
import { PlantRunner } from './plant-runner.ts';
import type { SavedPlant } from './state-file.ts';
import { tellPast } from './tell-past.ts';
import { FakeBroker, FakeSchedule } from './testing/fake-transport.ts';
import { samplePlant } from './testing/sample-plant.ts';

const NOW = Date.UTC(2026, 5, 10, 9, 2);
const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
const INVERTER = 'H8T2311A00117';

interface Told {
  tsMs: number;
  value: number;
}

function runner(pastDays: number, saved?: SavedPlant) {
  const broker = new FakeBroker();
  const schedule = new FakeSchedule(NOW);
  const sender = new HistorySender(schedule);
  const made = new PlantRunner(samplePlant('lindenblick'), saved, {
    open: broker.open,
    group: 'solar',
    intervalS: 10,
    historyDays: saved === undefined ? 1 : 0,
    pastDays,
    speed: 1,
    backoffMs: { low: 100, high: 100 },
    schedule,
    sender,
    inStep: new InStep(),
    onNote: (note) => expect.fail(note),
    onProgress: () => undefined,
  });
  return { broker, made, sender };
}

/** What an inverter told of a point, as it came. */
function toldOf(broker: FakeBroker, name: string): Told[] {
  const birth = broker.of('DBIRTH', INVERTER)[0]?.payload.metrics ?? [];
  const alias = birth.find((metric) => metric.name === name)?.alias;
  return broker
    .of('DDATA', INVERTER)
    .flatMap(({ payload }) =>
      payload.metrics.flatMap((metric) =>
        metric.alias === alias && metric.isHistorical === true
          ? [{ tsMs: metric.timestampMs ?? 0, value: Number(metric.value) }]
          : [],
      ),
    );
}

async function tell({ broker, made, sender }: ReturnType<typeof runner>, signal = new AbortController().signal) {
  const progress: number[] = [];
  made.start(0);
  await made.tellHistory();
  await tellPast([made.past], { sender, signal, onProgress: (done) => progress.push(done) });
  return { progress, broker };
}

describe('the months before the history', () => {
  test('are told every quarter of an hour once, the newest two weeks first, and join the history without a hole', async () => {
    const one = runner(40);
    const { progress } = await tell(one);
    await one.made.stop();
    const told = toldOf(one.broker, 'Energy/PvTotal');
    const startMs = (told[0]?.tsMs ?? 0) - 300_000;
    const past = told.filter(({ tsMs }) => tsMs <= startMs);
    expect(new Set(past.map(({ tsMs }) => tsMs)).size).toBe(past.length);
    expect(past.every(({ tsMs }) => tsMs % QUARTER_MS === 0)).toBe(true);
    expect(Math.max(...past.map(({ tsMs }) => tsMs))).toBe(startMs);
    expect(Math.min(...past.map(({ tsMs }) => tsMs))).toBeLessThanOrEqual(NOW - 40 * DAY_MS + 2 * QUARTER_MS);
    expect(past).toHaveLength((startMs - Math.min(...past.map(({ tsMs }) => tsMs))) / QUARTER_MS + 1);
    expect(past[0]?.tsMs).toBe(startMs - 14 * DAY_MS + QUARTER_MS);
    expect(progress.at(-1)).toBe(1);
  });

  test('have counters that never fall, up to those of the history', async () => {
    const one = runner(40);
    await tell(one);
    await one.made.stop();
    for (const name of ['Energy/PvTotal', 'Energy/AcOutTotal', 'Energy/AcInTotal', 'Energy/LoadTotal']) {
      expect(pointByName('inverter', name)?.accumulates).toBe('lifetime');
      const values = toldOf(one.broker, name)
        .sort((a, b) => a.tsMs - b.tsMs)
        .map(({ value }) => value);
      expect(values.every((value, at) => at === 0 || value >= (values[at - 1] ?? 0))).toBe(true);
    }
  });

  test('go on in the next run where they were left, with the same counters', async () => {
    const whole = runner(40);
    await tell(whole);
    await whole.made.stop();
    const first = runner(40);
    const stopping = new AbortController();
    const told = tell(first, stopping.signal);
    while (first.made.past.left.untilMs > NOW - 20 * DAY_MS) await new Promise((resolve) => setImmediate(resolve));
    stopping.abort();
    await told;
    await first.made.stop();
    const saved: SavedPlant = JSON.parse(JSON.stringify(first.made.save()));
    const second = runner(40, saved);
    await tell(second);
    await second.made.stop();
    const again = toldOf(second.broker, 'Energy/PvTotal');
    const before = new Map(toldOf(whole.broker, 'Energy/PvTotal').map(({ tsMs, value }) => [tsMs, value]));
    expect(again.length).toBeGreaterThan(1_000);
    expect(again.every(({ tsMs, value }) => before.get(tsMs) === value)).toBe(true);
    expect(second.made.past.leftMs).toBe(0);
  });
});
