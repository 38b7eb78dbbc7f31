import type { DeviceBucket, DeviceLedger } from '@sonnenwarte/energy/accounting/buckets';
import { type DeviceSample, ENERGY_CHANNELS } from '@sonnenwarte/energy/accounting/channels';
import type { DeviceEntry } from '../ingestion/registry/plant-model.ts';
import type { AccountedDevice, RecomputeTask } from './recompute-windows.ts';

/** The account of one device: its ledger, and what of its time is to be accounted anew. */
export interface Account {
  device: AccountedDevice;
  ledger: DeviceLedger | undefined;
  /** Nothing of the device has been accounted or is waiting to be since the process began. */
  isNew: boolean;
  isLoading: boolean;
  /** Samples that came while the ledger was being made anew. */
  pending: DeviceSample[];
  /** By UTC day: first and last time of samples that came late. */
  dirty: Map<number, [fromMs: number, toMs: number]>;
  /** What is being accounted anew just now. */
  working: RecomputeTask | undefined;
  dirtySinceMs: number;
  dirtyLastMs: number;
  /** Whether a late sample was historical, so that more of them may follow. */
  isHistory: boolean;
  /** How long a backlog that goes on is waited for; grows with each turn. */
  patienceMs: number;
}

const QUIET_MS = 2_000;
const QUIET_FIRST_MS = 200;
/** A backlog that takes longer is accounted in between. */
const LONGEST_WAIT_MS = 30_000;
const DAY_MS = 86_400_000;
const MOST_TASKS = 64;
/** Days of devices that are read and written together: others who ask the store wait no longer than that takes. */
const MOST_TASK_DAYS = 200;
const MOST_DAYS_AT_ONCE = 31;
const MOST_APART_MS = 2 * MOST_DAYS_AT_ONCE * DAY_MS;

/** The account of a device; a new one where it has become another kind. */
export function accountOf(accounts: WeakMap<DeviceEntry, Account>, device: AccountedDevice): Account {
  let account = accounts.get(device);
  if (account === undefined || account.device.kind !== device.kind) {
    account = newAccount(device);
    accounts.set(device, account);
  }
  return account;
}

export function newAccount(device: AccountedDevice): Account {
  return {
    device,
    ledger: undefined,
    isNew: true,
    isLoading: false,
    pending: [],
    dirty: new Map(),
    working: undefined,
    dirtySinceMs: 0,
    dirtyLastMs: 0,
    isHistory: false,
    patienceMs: LONGEST_WAIT_MS,
  };
}

/**
 * The account of a device of which nothing else is stored has nothing to load: it begins with its first sample. One of which
 * something was learned before has stored it as another kind of device.
 */
export function beginsWith({ device, isNew }: Account, tsMs: number): boolean {
  if (device.reach?.hasLearned === true) return false;
  return isNew && device.emptyFromMs === Number.NEGATIVE_INFINITY && device.emptyToMs === tsMs;
}

/** Lets go of what goes on from sample to sample. */
export function forgetLedger(account: Account | undefined): void {
  if (account === undefined) return;
  account.ledger = undefined;
  account.isNew = false;
}

/** Whether the logger of a device still sends what it kept. */
function isBacklogComing({ device: { datalogger } }: Account, nowMs: number): boolean {
  return datalogger.waitingHistory > 0 || nowMs - datalogger.historyStoredMs < QUIET_MS;
}

/** Whether a time lies behind the gap that a device fills now: nothing more comes beside it. */
function liesBehindGap({ device: { emptyToMs } }: Account, tsMs: number): boolean {
  return emptyToMs > 0 && tsMs >= emptyToMs;
}

export function isDue(account: Account, nowMs: number): boolean {
  const { dirtySinceMs, dirtyLastMs, isHistory, ledger, patienceMs } = account;
  const waitedMs = nowMs - dirtySinceMs;
  if (isHistory && isBacklogComing(account, nowMs))
    return waitedMs >= (isSomeWhole(account, nowMs) ? LONGEST_WAIT_MS : patienceMs);
  const isFirst = ledger === undefined && !isHistory;
  return nowMs - dirtyLastMs >= (isFirst ? QUIET_FIRST_MS : QUIET_MS) || waitedMs >= (isFirst ? QUIET_MS : patienceMs);
}

/** Whether nothing is missing of some time that waits: a history goes on before it, or has ended. */
function isSomeWhole(account: Account, nowMs: number): boolean {
  if (!isBacklogComing(account, nowMs)) return true;
  return [...account.dirty.values()].some(([, toMs]) => liesBehindGap(account, toMs));
}

/**
 * What of due accounts is made anew in one turn: first what no history holds up, then histories, plant by plant and no more than
 * a few months of devices, so that what happens now never waits for long. All of a plant that is whole goes together: its sums
 * are made once.
 */
export function turnOf(waiting: readonly Account[], nowMs: number): Account[] {
  const due = waiting.filter((account) => isDue(account, nowMs));
  const urgent = due.filter(({ isHistory }) => !isHistory);
  if (urgent.length > 0) return urgent;
  const whole = waiting.filter((account) => account.isHistory && isSomeWhole(account, nowMs));
  const wholeOf = Map.groupBy(whole, ({ device }) => device.site);
  const turn = new Set<Account>();
  let days = 0;
  for (const account of due) {
    if (days >= MOST_TASK_DAYS) break;
    const { site } = account.device;
    for (const each of [account, ...(site === undefined ? [] : (wholeOf.get(site) ?? []))]) {
      if (turn.has(each)) continue;
      turn.add(each);
      days += Math.min(MOST_DAYS_AT_ONCE, each.dirty.size);
    }
  }
  return [...turn];
}

/** What of an account is to be made anew: its newest month; what lies before, or far apart, is left for the next turn. */
export function takeTask(account: Account, nowMs: number): RecomputeTask | undefined {
  const days = [...account.dirty.keys()].sort((a, b) => b - a);
  const [newest] = days;
  if (newest === undefined) return undefined;
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  let first = newest;
  for (const day of days) {
    if (day < first - 1 || day <= newest - MOST_DAYS_AT_ONCE) break;
    const range = account.dirty.get(day);
    if (range !== undefined) {
      fromMs = Math.min(fromMs, range[0]);
      toMs = Math.max(toMs, range[1]);
    }
    account.dirty.delete(day);
    first = day;
  }
  const { ledger } = account;
  const keptFromMs = ledger?.keptFromMs ?? Number.NEGATIVE_INFINITY;
  const isComing = toMs < keptFromMs && account.isHistory && isBacklogComing(account, nowMs);
  const isOpen = isComing && !liesBehindGap(account, toMs);
  account.patienceMs = isOpen ? 2 * account.patienceMs : LONGEST_WAIT_MS;
  // From its first reading on a counter is believed instead of the power: to the end, unless it has been accounted before.
  const isFirstReading = ENERGY_CHANNELS.some((channel) => {
    const firstMs = account.device.firstReadMs[channel];
    return (
      firstMs !== undefined && firstMs >= fromMs && firstMs <= toMs && account.device.opening[channel] === undefined
    );
  });
  const toNewest = !isOpen && (isFirstReading || toMs >= (ledger?.dependsFromMs ?? Number.NEGATIVE_INFINITY));
  return { device: account.device, fromMs, toMs, toNewest, isOpen, keptFromMs };
}

/** How much time of an account from one time to another waits to be made anew, ms; at least one where anything does. */
export function waitingMsOf(account: Account | undefined, sinceMs: number, untilMs: number): number {
  if (account === undefined) return 0;
  const { dirty, working } = account;
  const spans = [...dirty.values(), ...(working === undefined ? [] : [[working.fromMs, working.toMs] as const])];
  return spans.reduce((waitingMs, [fromMs, toMs]) => {
    const withinMs = Math.min(toMs, untilMs) - Math.max(fromMs, sinceMs);
    return withinMs < 0 ? waitingMs : waitingMs + 1 + withinMs;
  }, 0);
}

/** Tasks in parts that are read together: of few days of devices, and of one time, since all between the first and the last is asked for. */
export function chunksOf<T extends { task: RecomputeTask }>(list: readonly T[]): T[][] {
  const spans = list.map((entry) => {
    const { fromMs, toMs, toNewest, device } = entry.task;
    return { entry, fromMs, toMs: toNewest ? Math.max(toMs, device.newestTsMs || toMs) : toMs };
  });
  const chunks: T[][] = [];
  let chunk: T[] = [];
  let days = 0;
  let [firstMs, lastMs] = [0, 0];
  for (const { entry, fromMs, toMs } of spans.sort((one, other) => other.toMs - one.toMs)) {
    const taskDays = 1 + (toMs - fromMs) / DAY_MS;
    const isApart = Math.max(lastMs, toMs) - Math.min(firstMs, fromMs) > MOST_APART_MS;
    if (chunk.length === 0 || chunk.length >= MOST_TASKS || days + taskDays > MOST_TASK_DAYS || isApart) {
      chunk = [];
      chunks.push(chunk);
      days = 0;
      [firstMs, lastMs] = [fromMs, toMs];
    }
    chunk.push(entry);
    days += taskDays;
    firstMs = Math.min(firstMs, fromMs);
    lastMs = Math.max(lastMs, toMs);
  }
  return chunks;
}

export function timesOf(buckets: readonly DeviceBucket[]): number[] {
  return buckets.map((bucket) => bucket.bucketMs);
}
