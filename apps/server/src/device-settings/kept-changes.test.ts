import { randomUUID } from 'node:crypto';
import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetOrdersOfPlans } from '../commands/kept-orders.store.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { forgetChanges, MOST_OF_DEVICE } from './kept-changes.store.ts';
import { MOST_A_DAY } from './noted-changes.store.ts';
import { keepReported, MOST_NAMES, type Reported } from './reported.store.ts';

const LIMIT = 'Setting/ExportLimit';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const nowMs = Date.parse('2026-06-15T12:00:00Z');
const twoYearsMs = nowMs - 731 * DAY_MS;
const notEnding = new AbortController().signal;

let fixture: PlantsFixture;
beforeAll(async () => {
  fixture = await PlantsFixture.start();
});
afterAll(() => fixture?.stop());

const changesOf = (subjectId: string) =>
  fixture.db
    .selectFrom('setting_changes')
    .selectAll()
    .where('subject_id', '=', subjectId)
    .orderBy('at')
    .orderBy('id')
    .execute();
const keep = (list: readonly Reported[]) => inTransaction(fixture.db, (tx) => keepReported(tx, list));
const told = (subjectId: string, value: SettingValue, atMs: number, by: Reported['by'] = 'data'): Reported => ({
  subjectId,
  values: { [LIMIT]: value },
  atMs,
  by,
});
const ofPerson = (subjectId: string, value: SettingValue, atMs: number): Reported => ({
  ...told(subjectId, value, atMs, 'readBack'),
  command: { id: 'none', source: 'hand', orderedBy: null, wanted: { [LIMIT]: value } },
});

describe('a device that changes a setting by itself over and over', () => {
  it('leaves a day of few rows, the last of which tells how often and what it came to', async () => {
    const id = randomUUID();
    const times = 10_000;
    const list = Array.from({ length: times + 1 }, (_, at) => told(id, at % 2 === 0 ? 5_000 : 4_000 + at, nowMs + at));
    await keep(list);
    const changes = await changesOf(id);
    expect(changes).toHaveLength(MOST_A_DAY);
    expect(changes.reduce((sum, each) => sum + each.times, 0)).toBe(times);
    expect(changes.slice(0, -1).every((each) => each.times === 1)).toBe(true);
    expect(changes.at(-1)).toMatchObject({ to_value: 5_000, at: new Date(nowMs + times) });
    changes.forEach((each, place) => {
      expect(each.from_value).toEqual(place === 0 ? 5_000 : changes[place - 1]?.to_value);
    });
    await keep([told(id, 1, nowMs + HOUR_MS)]);
    await keep([told(id, 2, nowMs + HOUR_MS + 1)]);
    expect(await changesOf(id)).toHaveLength(MOST_A_DAY);
    expect((await changesOf(id)).at(-1)).toMatchObject({ to_value: 2, times: times - MOST_A_DAY + 3 });
  });

  it('gets a row again on another day', async () => {
    const id = randomUUID();
    await keep(Array.from({ length: 40 }, (_, at) => told(id, at, nowMs + at)));
    await keep([told(id, -1, nowMs + 2 * DAY_MS)]);
    const changes = await changesOf(id);
    expect(changes).toHaveLength(MOST_A_DAY + 1);
    expect(changes.at(-1)).toMatchObject({ from_value: 39, to_value: -1, times: 1 });
  });

  it('is not counted into what a person ordered in between, nor into other settings', async () => {
    const id = randomUUID();
    await keep(Array.from({ length: 40 }, (_, at) => told(id, at, nowMs + at)));
    await keep([ofPerson(id, 3_000, nowMs + 100)]);
    await keep([told(id, 9, nowMs + 101)]);
    await keep([{ ...told(id, 1, nowMs + 102), values: { 'Setting/MinSoc': 10 } }]);
    await keep([{ ...told(id, 1, nowMs + 103), values: { 'Setting/MinSoc': 20 } }]);
    expect(
      (await changesOf(id))
        .slice(MOST_A_DAY)
        .map(({ name, source, from_value, to_value, times }) => [name, source, from_value, to_value, times]),
    ).toEqual([
      [LIMIT, 'hand', 39, 3_000, 1],
      [LIMIT, 'device', 3_000, 9, 1],
      ['Setting/MinSoc', 'device', 10, 20, 1],
    ]);
  });
});

it('a device that makes up names of settings is known by so many of them, and by all that the portal knows', async () => {
  const id = randomUUID();
  for (let message = 0; message < 5; message += 1) {
    const names = Array.from({ length: 200 }, (_, at) => [`Setting/MadeUp${message}X${at}`, at] as const);
    await keep([{ ...told(id, 0, nowMs + message), values: Object.fromEntries(names) }]);
  }
  await keep([told(id, 5_000, nowMs + 9)]);
  const rows = await fixture.db.selectFrom('device_settings').select('name').where('subject_id', '=', id).execute();
  expect(rows).toHaveLength(MOST_NAMES + 1);
  expect(rows.map(({ name }) => name)).toContain(LIMIT);
});

type Source = Database['setting_changes']['source'];
async function changed(
  subjectId: string,
  source: Source,
  times: readonly number[],
  more: { accountId?: string; name?: string } = {},
): Promise<void> {
  await fixture.db
    .insertInto('setting_changes')
    .values(
      times.map((atMs, place) => ({
        subject_id: subjectId,
        name: more.name ?? LIMIT,
        from_value: JSON.stringify(place),
        to_value: JSON.stringify(place + 1),
        at: new Date(atMs),
        command_id: null,
        account_id: more.accountId ?? null,
        source,
      })),
    )
    .execute();
}
const kept = async (subjectId: string, source: Source) =>
  (await changesOf(subjectId)).filter((each) => each.source === source).map(({ at }) => at.getTime());
const every = (count: number, fromMs: number, stepMs: number) =>
  Array.from({ length: count }, (_, at) => fromMs + at * stepMs);
const forget = () => forgetChanges(fixture.db, twoYearsMs, notEnding);

describe('changes that nobody ordered', () => {
  it('of a device are the newest of each setting, with the first of all', async () => {
    const id = randomUUID();
    const times = every(MOST_OF_DEVICE + 700, nowMs - 90 * DAY_MS, HOUR_MS);
    await changed(id, 'device', times);
    const others = every(3, nowMs - 80 * DAY_MS, DAY_MS);
    await changed(id, 'device', others, { name: 'Setting/MinSoc' });
    await forget();
    expect(await kept(id, 'device')).toEqual(
      [...others, times[0] ?? 0, ...times.slice(-MOST_OF_DEVICE)].sort((a, b) => a - b),
    );
  });

  it('go when they are two years old, but for the first and the last of each kind; what people ordered stays', async () => {
    const { id: organisationId } = await fixture.addOrganisation('installer');
    const { id: accountId } = await fixture.addAccount(organisationId, 2);
    const id = randomUUID();
    const old = every(5, twoYearsMs - 50 * DAY_MS, DAY_MS);
    const young = every(2, nowMs - 9 * DAY_MS, DAY_MS);
    await changed(id, 'device', old);
    await changed(id, 'plan', [...old, ...young]);
    for (const source of ['hand', 'group', 'preset', 'revert'] as const) await changed(id, source, old);
    const ofPerson = randomUUID();
    await changed(ofPerson, 'plan', old, { accountId });
    await forget();
    expect(await kept(id, 'device')).toEqual([old[0], old.at(-1)]);
    expect(await kept(id, 'plan')).toEqual([old[0], ...young]);
    for (const source of ['hand', 'group', 'preset', 'revert'] as const) expect(await kept(id, source)).toEqual(old);
    expect(await kept(ofPerson, 'plan')).toEqual(old);
  });

  it('are looked at when they grow old, however long ago they were new, and when something newer takes the place of the last', async () => {
    const id = randomUUID();
    const times = every(4, twoYearsMs + DAY_MS, DAY_MS);
    await changed(id, 'device', times);
    await forget();
    expect(await kept(id, 'device')).toEqual(times);
    await forgetChanges(fixture.db, twoYearsMs + 2.5 * DAY_MS, notEnding);
    expect(await kept(id, 'device')).toEqual([times[0], times[2], times[3]]);
    await forgetChanges(fixture.db, twoYearsMs + 40 * DAY_MS, notEnding);
    expect(await kept(id, 'device')).toEqual([times[0], times[3]]);
    await changed(id, 'device', [nowMs]);
    await forgetChanges(fixture.db, twoYearsMs + 40 * DAY_MS, notEnding);
    expect(await kept(id, 'device')).toEqual([times[0], nowMs]);
  });
});

it('orders of plans that the portal made by itself go when they are old and over; those of people, young and open ones stay', async () => {
  const { id: organisationId } = await fixture.addOrganisation('installer');
  const { id: accountId } = await fixture.addAccount(organisationId, 2);
  const site = await fixture.addSite(organisationId);
  const logger = await fixture.addDatalogger(site.id);
  const device = await fixture.addDevice(site.id, logger.id);
  const order = async (
    orderedBy: string | null,
    source: 'plan' | 'hand',
    ageMs: number,
    state: 'confirmed' | 'queued',
  ) => {
    const [id = ''] = await inTransaction(fixture.db, (tx) =>
      fixture.commands.order(tx, [
        {
          loggerID: logger.id,
          deviceID: device.id,
          kind: 'write',
          content: { values: { [LIMIT]: 1 } },
          source,
          orderedBy,
        },
      ]),
    );
    await fixture.db
      .updateTable('commands')
      .set({ state, created_at: new Date(nowMs - ageMs) })
      .where('id', '=', id)
      .execute();
    return id;
  };
  const old = await order(null, 'plan', 800 * DAY_MS, 'confirmed');
  const staying = [
    await order(accountId, 'plan', 800 * DAY_MS, 'confirmed'),
    await order(null, 'hand', 800 * DAY_MS, 'confirmed'),
    await order(null, 'plan', 700 * DAY_MS, 'confirmed'),
    await order(null, 'plan', 800 * DAY_MS, 'queued'),
  ];
  expect(await forgetOrdersOfPlans(fixture.db, twoYearsMs)).toBe(false);
  const rows = await fixture.db.selectFrom('commands').select('id').where('device_id', '=', device.id).execute();
  expect(rows.map(({ id }) => id).sort()).toEqual(staying.sort());
  expect(staying).not.toContain(old);
});
