import { expect, test } from 'vitest';
import { type Account, beginsWith, chunksOf, isDue, newAccount, takeTask, turnOf } from './account.ts';
import { DirtyAccounts } from './dirty-accounts.ts';
import type { AccountedDevice } from './recompute-windows.ts';

const DAY_MS = 86_400_000;
const FIRST_MS = Date.UTC(2026, 5, 1, 10);

/** As ingestion leaves a device once its first sample is stored. */
const heardFirst = (change: Partial<AccountedDevice> = {}) =>
  newAccount({ emptyFromMs: Number.NEGATIVE_INFINITY, emptyToMs: FIRST_MS, ...change } as AccountedDevice);

/** An account of which so many days wait. */
function waitingFor(days: number, { site, ...change }: Partial<Account> & { site?: AccountedDevice['site'] }): Account {
  const datalogger = { waitingHistory: 0, historyStoredMs: 0 } as AccountedDevice['datalogger'];
  const lastDay = Math.floor(FIRST_MS / DAY_MS) - 1;
  const dirty = Array.from({ length: days }, (_, ago): [number, [number, number]] => {
    const dayMs = (lastDay - ago) * DAY_MS;
    return [dayMs / DAY_MS, [dayMs, dayMs + 1]];
  });
  const account = heardFirst({ datalogger, site, emptyToMs: 0, firstReadMs: {}, opening: {} });
  return { ...account, dirty: new Map(dirty), dirtySinceMs: FIRST_MS - 3_000, ...change };
}

test('the account of a device of which nothing else is stored begins with its first sample, without loading anything', () => {
  expect(beginsWith(heardFirst(), FIRST_MS)).toBe(true);
});

test.each([
  ['a sample that is not the oldest stored', heardFirst(), FIRST_MS + 1],
  ['a device that may have older samples', heardFirst({ emptyFromMs: 0 }), FIRST_MS],
  ['an account that has begun, or waits to be made anew', { ...heardFirst(), isNew: false }, FIRST_MS],
])('%s: the day is loaded first', (_, account, tsMs) => {
  expect(beginsWith(account, tsMs)).toBe(false);
});

test('of a long time that waits its newest month is made anew first, then what lies before', () => {
  const account = heardFirst({ firstReadMs: {}, opening: {} });
  const newestDay = Math.floor(FIRST_MS / DAY_MS);
  for (let day = newestDay - 39; day <= newestDay; day += 1) account.dirty.set(day, [day * DAY_MS, day * DAY_MS + 1]);
  expect(takeTask(account, FIRST_MS)).toMatchObject({
    fromMs: (newestDay - 30) * DAY_MS,
    toMs: newestDay * DAY_MS + 1,
  });
  expect(takeTask(account, FIRST_MS)).toMatchObject({ fromMs: (newestDay - 39) * DAY_MS });
  expect(takeTask(account, FIRST_MS)).toBeUndefined();
});

test('what lies behind the gap that a history fills now is closed, what ends in it is left open', () => {
  const dayMs = Math.floor(FIRST_MS / DAY_MS) * DAY_MS;
  const waits = (emptyToMs: number) => ({
    ...heardFirst({
      ...{ firstReadMs: {}, opening: {}, emptyToMs },
      datalogger: { waitingHistory: 1 } as AccountedDevice['datalogger'],
    }),
    ledger: { keptFromMs: FIRST_MS + DAY_MS, dependsFromMs: FIRST_MS + DAY_MS } as Account['ledger'],
    isHistory: true,
    dirty: new Map([[dayMs / DAY_MS, [dayMs, dayMs + 1] as [number, number]]]),
  });
  expect(takeTask(waits(dayMs - DAY_MS), FIRST_MS)).toMatchObject({ isOpen: false });
  expect(takeTask(waits(dayMs + DAY_MS), FIRST_MS)).toMatchObject({ isOpen: true });
});

test('what is whole does not wait as long as what a history goes on with', () => {
  const dayMs = Math.floor(FIRST_MS / DAY_MS) * DAY_MS;
  const waits = (emptyToMs: number) => ({
    ...heardFirst({ emptyToMs, datalogger: { waitingHistory: 1 } as AccountedDevice['datalogger'] }),
    ...{ isHistory: true, patienceMs: 240_000, dirtySinceMs: FIRST_MS - 60_000 },
    dirty: new Map([[dayMs / DAY_MS, [dayMs, dayMs + 1] as [number, number]]]),
  });
  expect(isDue(waits(dayMs - DAY_MS), FIRST_MS)).toBe(true);
  expect(isDue(waits(dayMs + DAY_MS), FIRST_MS)).toBe(false);
});

test('an older first reading of a counter that is read again later asks for its own time alone', () => {
  const dayMs = Math.floor(FIRST_MS / DAY_MS) * DAY_MS;
  const dirty = new Map([[dayMs / DAY_MS, [dayMs, dayMs + 1] as [number, number]]]);
  const ledger = { keptFromMs: FIRST_MS + DAY_MS, dependsFromMs: FIRST_MS + DAY_MS };
  const firstRead = { firstReadMs: { pv: dayMs } };
  const again = { ...heardFirst({ ...firstRead, opening: { pv: [FIRST_MS, 1] } }), dirty: new Map(dirty), ledger };
  expect(takeTask(again as Account, FIRST_MS)).toMatchObject({ toNewest: false });
  const within = { ...heardFirst({ ...firstRead, opening: { pv: [dayMs + 1, 1] } }), dirty: new Map(dirty), ledger };
  expect(takeTask(within as Account, FIRST_MS)).toMatchObject({ toNewest: false });
  const never = { ...heardFirst({ ...firstRead, opening: {} }), dirty: new Map(dirty), ledger };
  expect(takeTask(never as Account, FIRST_MS)).toMatchObject({ toNewest: true });
});

test('of histories that wait, all of a plant that is whole is made anew in one turn, and no more plants than fit into it', () => {
  const sites = [{}, {}, {}] as AccountedDevice['site'][];
  const waiting = sites.flatMap((site) =>
    Array.from({ length: 4 }, () => waitingFor(31, { site, isHistory: true, dirtyLastMs: FIRST_MS - 1_900 })),
  );
  for (const first of [waiting[0], waiting[4], waiting[8]] as Account[]) first.dirtyLastMs -= 60_000;
  expect(turnOf(waiting, FIRST_MS)).toEqual(waiting.slice(0, 8));
});

test('what happens now is accounted before any history', () => {
  const history = waitingFor(31, { isHistory: true, dirtyLastMs: FIRST_MS - 60_000 });
  const late = waitingFor(1, { isHistory: false, dirtyLastMs: FIRST_MS - 3_000 });
  expect(turnOf([history, late], FIRST_MS)).toEqual([late]);
  expect(turnOf([history], FIRST_MS)).toEqual([history]);
});

test('devices whose time is made anew up to now count with all of it where it is decided how many go together', () => {
  const device = { newestTsMs: FIRST_MS } as AccountedDevice;
  const from = (days: number, toNewest: boolean) => ({
    task: { device, fromMs: FIRST_MS - days * DAY_MS, toMs: FIRST_MS - (days - 1) * DAY_MS, toNewest } as never,
  });
  expect(chunksOf([from(150, false), from(150, false)])).toHaveLength(1);
  expect(chunksOf([from(150, true), from(150, true)])).toHaveLength(2);
  // All between the first and the last is asked for.
  const [now, longAgo] = [from(1, true), from(150, false)];
  expect(chunksOf([longAgo, now, longAgo])).toEqual([[now], [longAgo, longAgo]]);
});

test('a month that could not be accounted waits again with all of its days', () => {
  const account = heardFirst({ firstReadMs: {}, opening: {} });
  const dirty = new DirtyAccounts();
  const span = { fromMs: FIRST_MS - 30 * DAY_MS, toMs: FIRST_MS };
  dirty.markSpan(account, span, true);
  expect(dirty.days).toBe(31);
  expect(takeTask(account, FIRST_MS)).toMatchObject(span);
});
