import { describe, expect, test } from 'vitest';
import type { FleetPlant } from './fleet.ts';
import { HISTORY_WINDOW, HistorySender } from './history-sender.ts';
import { InStep } from './in-step.ts';
import { PlantRunner } from './plant-runner.ts';
import type { SavedPlant } from './state-file.ts';
import { FakeBroker, FakeSchedule, type SentMessage, settled } from './testing/fake-transport.ts';
import { samplePlant } from './testing/sample-plant.ts';

const NOW = Date.UTC(2026, 5, 10, 9, 2);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const INVERTER = 'H8T2311A00117';

function runner(plant: FleetPlant, historyDays: number, nowMs = NOW, saved?: SavedPlant) {
  const broker = new FakeBroker();
  const schedule = new FakeSchedule(nowMs);
  const progress: number[] = [];
  const made = new PlantRunner(plant, saved, {
    open: broker.open,
    group: 'solar',
    intervalS: 10,
    historyDays,
    pastDays: 0,
    speed: 1,
    backoffMs: { low: 100, high: 100 },
    schedule,
    sender: new HistorySender(schedule),
    inStep: new InStep(),
    onNote: (note) => expect.fail(note),
    onProgress: (done, all) => progress.push(done / all),
  });
  return { broker, schedule, progress, runner: made };
}

const historyOf = (messages: readonly SentMessage[]) =>
  messages.flatMap(({ payload }) => payload.metrics.filter(({ isHistorical }) => isHistorical === true));

const timesOf = (messages: readonly SentMessage[]): number[] =>
  historyOf(messages).map(({ timestampMs = 0 }) => timestampMs);

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await settled();
}

describe('first history', () => {
  test('goes out as historical data of QoS 1, every five minutes once, below 32 KiB a message, with live data between', async () => {
    const { broker, schedule, progress, runner: made } = runner(samplePlant('lindenblick'), 2);
    made.start(0);
    made.tellHistory();
    await until(() => progress.at(-1) === 1);
    await schedule.pass(20_000);
    await made.stop();
    const historical = broker.of('DDATA', INVERTER).filter(({ payload }) => payload.metrics[0]?.isHistorical === true);
    const times = [...new Set(historical.flatMap(({ payload }) => payload.metrics.map((m) => m.timestampMs ?? 0)))];
    expect(times).toHaveLength(576);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.every((tsMs) => tsMs % 300_000 === 0 && tsMs > NOW - 2 * DAY_MS && tsMs <= NOW)).toBe(true);
    expect(historical.every(({ qos, bytes }) => qos === 1 && bytes.length <= 32_768)).toBe(true);
    const live = broker.of('DDATA', INVERTER).filter(({ payload }) => payload.metrics[0]?.isHistorical !== true);
    expect(live.length).toBeGreaterThanOrEqual(2);
  });

  test('waits for acknowledgements: no more than its window is under way, which is small at first and where they come late', async () => {
    const { broker, schedule, progress, runner: made } = runner(samplePlant('lindenblick'), 20);
    broker.holdsAcks = true;
    made.start(0);
    made.tellHistory();
    await until(() => broker.unacknowledged > 0);
    await settled();
    expect(broker.unacknowledged).toBeLessThan(10);
    await until(() => {
      expect(broker.unacknowledged).toBeLessThanOrEqual(HISTORY_WINDOW);
      const isFull = broker.unacknowledged === HISTORY_WINDOW;
      if (!isFull) broker.acknowledge(1);
      return isFull;
    });
    await schedule.pass(6_000);
    broker.acknowledge(HISTORY_WINDOW);
    await settled();
    expect(broker.unacknowledged).toBeLessThan(10);
    await until(() => {
      broker.acknowledge(8);
      return progress.at(-1) === 1;
    });
    await made.stop();
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
  });

  test('is sent again where its acknowledgement was lost with the connection', async () => {
    const { broker, schedule, progress, runner: made } = runner(samplePlant('lindenblick'), 1);
    broker.holdsAcks = true;
    made.start(0);
    made.tellHistory();
    await until(() => broker.unacknowledged > 3);
    const before = broker.unacknowledged;
    broker.cut();
    broker.holdsAcks = false;
    while (progress.at(-1) !== 1) await schedule.pass(200);
    await made.stop();
    const sent = broker.sent.filter(({ payload }) => payload.metrics[0]?.isHistorical === true);
    const slots = new Set(
      sent.flatMap(({ topic, payload }) =>
        payload.metrics.flatMap(({ timestampMs = 0 }) =>
          timestampMs <= NOW - 120_000 ? `${topic.device} ${timestampMs}` : [],
        ),
      ),
    );
    expect(slots.size).toBe(4 * 288);
    expect(sent.length).toBeGreaterThanOrEqual(before);
  });

  test('of the offline plant ends when it fell silent, and its connection is cut', async () => {
    const { broker, progress, runner: made } = runner(samplePlant('u-rybnika'), 5);
    made.start(0);
    await made.tellHistory();
    await made.endHistory();
    expect(progress.at(-1)).toBe(1);
    expect(made.edges[0]?.isConnected).toBe(false);
    expect(broker.of('NDEATH')).toHaveLength(0);
    const times = broker.of('DDATA').flatMap(({ payload }) => payload.metrics.map((m) => m.timestampMs ?? 0));
    expect(Math.max(...times)).toBeLessThanOrEqual(NOW - 3.4 * DAY_MS);
    await made.stop();
  });
});

describe('the next run', () => {
  test('goes on from the saved state: counters and state of charge continue', async () => {
    const first = runner(samplePlant('lindenblick'), 1);
    first.runner.start(0);
    first.runner.tellHistory();
    await until(() => first.progress.at(-1) === 1);
    await first.runner.stop();
    const saved: SavedPlant = JSON.parse(JSON.stringify(first.runner.save()));
    const second = runner(samplePlant('lindenblick'), 0.125, NOW + 3 * HOUR_MS, saved);
    second.runner.start(0);
    second.runner.tellHistory();
    await until(() => second.progress.at(-1) === 1);
    await second.runner.stop();
    const before = saved.state.inverters[INVERTER]?.pvWh ?? 0;
    const after = second.runner.plant.state.inverters[INVERTER]?.pvWh ?? 0;
    expect(after - before).toBeGreaterThan(0);
    expect(after - before).toBeLessThan(3 * 9900);
    expect(second.runner.historySlots).toBe(36);
  });

  test('sends what was missed since, without being asked', async () => {
    const first = runner(samplePlant('lindenblick'), 0);
    first.runner.start(0);
    first.runner.tellHistory();
    await first.schedule.pass(1_000);
    await first.runner.stop();
    const saved: SavedPlant = JSON.parse(JSON.stringify(first.runner.save()));
    const second = runner(samplePlant('lindenblick'), 0, NOW + HOUR_MS, saved);
    second.runner.start(0);
    second.runner.tellHistory();
    await until(() => second.progress.at(-1) === 1);
    await second.runner.stop();
    const missed = second.broker.of('DDATA', INVERTER).filter(({ qos }) => qos === 1);
    const times = new Set(missed.flatMap(({ payload }) => payload.metrics.map(({ timestampMs }) => timestampMs)));
    expect(times.size).toBe(12);
  });

  test('speaks before the history of all is computed again, and that goes on where it was not told yet', async () => {
    const first = runner(samplePlant('lindenblick'), 6);
    first.broker.holdsAcks = true;
    first.runner.start(0);
    first.runner.tellHistory();
    await until(() => {
      first.broker.acknowledge(8);
      return (first.progress.at(-1) ?? 0) > 0.4;
    });
    const saved: SavedPlant = JSON.parse(JSON.stringify(first.runner.save()));
    const { toldUntilMs } = first.runner;
    const toldBefore = timesOf(first.broker.of('DDATA', INVERTER));
    await first.runner.stop();
    expect(toldUntilMs).toBeGreaterThan(NOW - 4 * DAY_MS);
    expect(toldUntilMs).toBeLessThan(NOW);

    const laterMs = NOW + 60_000;
    const second = runner(samplePlant('lindenblick'), (laterMs - toldUntilMs) / DAY_MS, laterMs, saved);
    expect(second.runner.plant.tsMs).toBe(NOW);
    second.runner.start(0);
    await second.runner.isHeard();
    expect(second.broker.of('DBIRTH', INVERTER)).toHaveLength(1);
    second.runner.tellHistory();
    await until(() => second.progress.at(-1) === 1);
    await second.runner.stop();
    expect(second.runner.toldUntilMs).toBe(Number.POSITIVE_INFINITY);
    const toldAfter = timesOf(second.broker.of('DDATA', INVERTER));
    expect(Math.min(...toldAfter)).toBe(toldUntilMs + 5 * 60_000);
    expect(new Set([...toldBefore, ...toldAfter]).size).toBe(6 * 288);
  });

  test('computes the same series again where older history is wanted than the state holds', async () => {
    const first = runner(samplePlant('lindenblick'), 2);
    first.runner.start(0);
    first.runner.tellHistory();
    await until(() => first.progress.at(-1) === 1);
    await first.runner.stop();
    const saved: SavedPlant = JSON.parse(JSON.stringify(first.runner.save()));
    const again = runner(samplePlant('lindenblick'), 2, NOW, saved);
    again.runner.start(0);
    again.runner.tellHistory();
    await until(() => again.progress.at(-1) === 1);
    await again.runner.stop();
    expect(again.runner.save().state.inverters).toEqual(saved.state.inverters);
    const told = ({ broker }: typeof first) => historyOf(broker.of('DDATA', INVERTER)).map(({ value }) => value);
    expect(told(again)).toEqual(told(first));
  });
});
