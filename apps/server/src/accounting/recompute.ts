import { bucketStart } from '@sonnenwarte/energy/accounting/bucket-span';
import { DeviceLedger, type LedgerOptions } from '@sonnenwarte/energy/accounting/buckets';
import type { DeviceSample } from '@sonnenwarte/energy/accounting/channels';
import { REJOIN_MS } from '@sonnenwarte/energy/accounting/counters';
import { sampleFields } from '@sonnenwarte/energy/accounting/device-sample';
import type { Kysely } from 'kysely';
import { deviceSampleOf, knownReach } from '../ingestion/registry/site-devices.ts';
import { ONE_THREAD, readRows } from '../ingestion/samples/row-reader.ts';
import type { KindLayout } from '../ingestion/sessions/kinds.ts';
import type { Database } from '../stores/schema.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import { Turns } from '../turns.ts';
import { Comparison, type Feed, type GiveBucket, type Recomputed } from './comparison.ts';
import { readJoints } from './device-events.ts';
import { needsOlderCounters, olderCounters } from './older-counters.ts';
import type { Openings } from './openings.ts';
import {
  type AccountedDevice,
  pick,
  type Reads,
  type RecomputeTask,
  readNextCounters,
  time,
  WARM_UP_MS,
  type Window,
  windowsOf,
} from './recompute-windows.ts';

/** Over a silent counter, over what was told before it, and over one that was silent there as well. */
const MOST_ROUNDS = 6;

type Feeds = Map<number, Feed>;

export function ledgerOptions(device: AccountedDevice): LedgerOptions {
  return { reach: knownReach(device), openings: device.opening };
}

/**
 * Accounts stretches of several devices of one kind anew from their raw rows: all buckets between the row before the stretch
 * and the row after it, since the energy between two rows belongs to the buckets between them. Where a counter was silent for
 * longer, all that it is spread over. Held at once is what one device told, as a rule, however many there are: what differs from
 * what is written is given out as soon as it is known.
 */
export async function recompute(
  { db, telemetry }: { db: Kysely<Database>; telemetry: TelemetryHandle },
  tasks: readonly RecomputeTask[],
  openings: Openings,
  give: GiveBucket,
): Promise<Recomputed[]> {
  const kind = tasks[0]?.device.layout;
  if (kind === undefined) return [];
  const joined = await withJoints(db, tasks);
  const windows = await windowsOf(telemetry, kind, joined);
  let open: Feeds = new Map();
  joined.forEach((task, index) => {
    const window = windows.get(task.device.key);
    const result = tasks[index];
    if (window === undefined || result === undefined) return;
    open.set(task.device.key, { task: result, fromMs: task.fromMs, toMs: task.toMs, window, ledger: undefined });
  });
  const comparison = new Comparison(telemetry, kind, give);
  const left: Feed[] = [];
  for (let round = 0; open.size > 0; round += 1) {
    const unsure = await feed(telemetry, kind, open, openings, comparison);
    const isLast = round + 1 >= MOST_ROUNDS;
    const undecided = isLast ? new Set<Feed>() : await readOn(telemetry, kind, unsure);
    open = new Map();
    for (const fed of unsure) {
      const asksForMore = widen(fed) || undecided.has(fed);
      if (asksForMore && !isLast) open.set(fed.task.device.key, fed);
      else left.push(fed);
    }
  }
  await comparison.read(left);
  for (const fed of left) await comparison.add(fed);
  return comparison.end();
}

/** Where a reading is held back in the end, all depends on those that decide of it. Returns the stretches that have them. */
async function readOn(telemetry: TelemetryHandle, kind: KindLayout, feeds: readonly Feed[]): Promise<Set<Feed>> {
  const found = new Set<Feed>();
  const undecided = feeds.filter(({ task, window, ledger }) => {
    const fromMs = ledger?.undecidedFromMs;
    return fromMs !== undefined && !window.isNewest && !task.isOpen && fromMs <= window.bucketToMs;
  });
  if (undecided.length === 0) return found;
  const tasks = undecided.map(({ task }) => task);
  const next = await readNextCounters(
    telemetry,
    kind,
    tasks,
    undecided.map(({ window }) => window.readToMs),
  );
  const further = undecided.filter(({ task }) => (next.get(task.device.key) ?? 0) > 0);
  const windows = await windowsOf(
    telemetry,
    kind,
    further.map(({ task }) => ({ ...task, toMs: next.get(task.device.key) ?? task.toMs })),
  );
  for (const feed of further) {
    const wider = windows.get(feed.task.device.key);
    if (wider === undefined) continue;
    feed.window = {
      ...wider,
      readFromMs: Math.min(wider.readFromMs, feed.window.readFromMs),
      bucketFromMs: Math.min(wider.bucketFromMs, feed.window.bucketFromMs),
    };
    found.add(feed);
  }
  return found;
}

/** Reaches back over counters that were silent within the stretch, or before what is written. Says whether that asks for more rows. */
function widen({ window, fromMs, toMs, ledger }: Feed): boolean {
  const lastMs = window.isNewest ? Number.POSITIVE_INFINITY : toMs;
  const silences = ledger?.silences ?? [];
  for (const [silentMs, heardMs] of silences) {
    if (silentMs <= lastMs && heardMs >= fromMs)
      window.bucketFromMs = Math.min(window.bucketFromMs, bucketStart(silentMs));
  }
  let isWider = false;
  for (const [silentMs, heardMs] of silences) {
    if (heardMs < window.bucketFromMs || silentMs >= window.readFromMs) continue;
    window.readFromMs = silentMs - WARM_UP_MS;
    isWider = true;
  }
  return isWider;
}

/**
 * Whether a counter that started anew is joined again depends on all readings of the day after. So a stretch that is near such
 * a joint reaches from it on to a day behind it.
 */
export function reachOf(fromMs: number, toMs: number, joints: readonly number[]): [fromMs: number, toMs: number] {
  let [firstMs, lastMs] = [fromMs, toMs];
  for (const jointMs of joints.toReversed()) {
    if (jointMs < firstMs && firstMs - jointMs <= REJOIN_MS) firstMs = jointMs;
  }
  for (const jointMs of joints) if (jointMs > lastMs && jointMs - lastMs <= REJOIN_MS) lastMs = jointMs;
  const latestMs = joints.findLast((jointMs) => jointMs >= firstMs && jointMs <= lastMs);
  return [firstMs, latestMs === undefined ? lastMs : Math.max(lastMs, latestMs + REJOIN_MS)];
}

async function withJoints(db: Kysely<Database>, tasks: readonly RecomputeTask[]): Promise<RecomputeTask[]> {
  const joints = await readJoints(
    db,
    tasks.map(({ device }) => device),
    Math.min(...tasks.map(({ fromMs }) => fromMs)) - 2 * REJOIN_MS,
    Math.max(...tasks.map(({ toMs }) => toMs)) + REJOIN_MS,
  );
  return tasks.map((task) => {
    const [fromMs, toMs] = reachOf(task.fromMs, task.toMs, joints.get(task.device.key) ?? []);
    return { ...task, fromMs, toMs: task.isOpen ? task.toMs : toMs };
  });
}

/** Makes the ledgers of what devices told. Those that are as they should be are compared; returns the others. */
async function feed(
  telemetry: TelemetryHandle,
  kind: KindLayout,
  byKey: Feeds,
  openings: Openings,
  comparison: Comparison,
): Promise<Feed[]> {
  const feeds = [...byKey.values()];
  await comparison.read(feeds);
  const unsure: Feed[] = [];
  const asked = feeds.map(({ task: { device }, window }) => ({ device, window }));
  for await (const { device, samples } of samplesOf(telemetry, kind, asked)) {
    const fed = byKey.get(device.key);
    if (fed === undefined) continue;
    fed.ledger = await ledgerOf(telemetry, device, samples, fed.window);
    for (const sample of samples) openings.note(device, sample);
    openings.take(device, fed.ledger);
    if (isSettled(fed.ledger)) await comparison.add(fed);
    else unsure.push(fed);
  }
  return unsure;
}

/** Whether nothing of what a ledger made of its samples asks for more of them. */
function isSettled({ silences, undecidedFromMs }: DeviceLedger): boolean {
  return silences.length === 0 && undecidedFromMs === undefined;
}

/** What a device told within its window, oldest first. */
interface Told {
  device: AccountedDevice;
  samples: DeviceSample[];
}

/** What devices of one kind told within their windows, one device after the other. */
async function* samplesOf(
  telemetry: Reads,
  kind: KindLayout,
  asked: readonly { device: AccountedDevice; window: Pick<Window, 'readFromMs' | 'readToMs'> }[],
): AsyncGenerator<Told> {
  const silent = new Map(asked.map(({ device }) => [device.key, device]));
  const keys = [...silent.keys()];
  const froms = asked.map(({ window }) => window.readFromMs);
  const tos = asked.map(({ window }) => Math.min(window.readToMs, LATEST_MS));
  const fields = sampleFields(asked[0]?.device.kind ?? 'inverter');
  const indexes = fields.flatMap((name) => kind.indexOf.get(name) ?? []);
  const columns = indexes.map((index) => `, toFloat64(${kind.numbersSql[index]})`).join('');
  const rows = await readRows(
    telemetry.client,
    `SELECT device, toInt64(toUnixTimestamp64Milli(ts)) AS ms${columns} FROM ${kind.table} FINAL
     WHERE device IN (${keys.join(',')}) AND ts >= ${time(Math.min(...froms))} AND ts <= ${time(Math.max(...tos))}
       AND ms >= ${pick(keys, froms)} AND ms <= ${pick(keys, tos)}
     ORDER BY device, ts ${ONE_THREAD}`,
  );
  const values = kind.emptyValues.slice();
  const turns = new Turns();
  let told: Told | undefined;
  while (rows.hasMore) {
    const key = rows.uint32();
    const tsMs = rows.int64();
    for (const index of indexes) values[index] = rows.float64();
    if (told?.device.key !== key) {
      if (told !== undefined) yield told;
      const device = silent.get(key);
      silent.delete(key);
      told = device === undefined ? undefined : { device, samples: [] };
    }
    told?.samples.push(deviceSampleOf(told.device, tsMs, values));
    if (turns.isOver) await turns.giveBack();
  }
  if (told !== undefined) yield told;
  for (const device of silent.values()) yield { device, samples: [] };
}

/** What devices of one kind told within their windows, oldest first. */
export async function readSamples(
  telemetry: Reads,
  kind: KindLayout,
  asked: readonly { device: AccountedDevice; window: Pick<Window, 'readFromMs' | 'readToMs'> }[],
): Promise<Map<number, DeviceSample[]>> {
  const found = new Map<number, DeviceSample[]>();
  for await (const { device, samples } of samplesOf(telemetry, kind, asked)) found.set(device.key, samples);
  return found;
}

/** The ledger of a device that has taken the samples of a window. */
export async function ledgerOf(
  telemetry: Reads,
  device: AccountedDevice,
  samples: readonly DeviceSample[],
  { readFromMs, bucketFromMs }: Pick<Window, 'readFromMs' | 'bucketFromMs'>,
): Promise<DeviceLedger> {
  const written = samples.findIndex(({ tsMs }) => tsMs >= bucketFromMs);
  const before = written < 0 ? samples : samples.slice(0, written);
  const opened = () => new DeviceLedger({ ...ledgerOptions(device), keepsAll: true });
  let ledger = opened();
  for (const sample of before) ledger.add(sample);
  if (needsOlderCounters(device, ledger, readFromMs)) {
    ledger = opened();
    for (const older of await olderCounters(telemetry, device, readFromMs)) ledger.add(older);
    for (const sample of before) ledger.add(sample);
  }
  const turns = new Turns();
  for (let at = before.length; at < samples.length; at += 1) {
    ledger.add(samples[at] as DeviceSample);
    if (turns.isOver) await turns.giveBack();
  }
  return ledger;
}

const LATEST_MS = Date.UTC(2200, 0, 1);
