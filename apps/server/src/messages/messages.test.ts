import { announcementEndpoints } from '@sonnenwarte/contract/announcements/announcements';
import { errno } from '@sonnenwarte/contract/errors';
import type { Level } from '@sonnenwarte/contract/levels';
import { liveEndpoints } from '@sonnenwarte/contract/live/live';
import { MOST_MESSAGES, messageEndpoints } from '@sonnenwarte/contract/messages/messages';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { forgetOldMessages, forgetSurplus } from './messages.store.ts';
import { tellMessages } from './tell-messages.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 5, 16, 11, 0);
let plants: PlantsFixture;

beforeAll(async () => {
  plants = await PlantsFixture.start();
});
afterAll(() => plants.stop());
beforeEach(() => {
  plants.time.nowMs = NOW_MS;
});

async function somebody(level: Level = 2, above: readonly string[] = []) {
  const organisation = await plants.addOrganisation('installer', above);
  const account = await plants.addAccount(organisation.id, level);
  return { organisation, account, token: plants.signInOf(account, organisation.path) };
}

const tell = (accountId: string, subject: string, atMs = NOW_MS) =>
  tellMessages(plants.db, [{ accountId, kind: 'report', event: 'completed', at: new Date(atMs), subject }]);

const inbox = async (token: string, condition: Record<string, unknown> = {}) =>
  (await plants.read(messageEndpoints.list, { condition, pageSize: 50 }, token)).messages;
const unread = async (token: string) => (await plants.read(messageEndpoints.unread, {}, token)).total;

describe('an inbox', () => {
  test('has the messages of its account alone, the newest first, by kind, view and text', async () => {
    const { account, token } = await somebody();
    const other = await somebody();
    await tell(account.id, 'May', NOW_MS - HOUR_MS);
    await tell(account.id, 'June');
    await tell(other.account.id, 'Secret');
    expect((await inbox(token)).map(({ subject }) => subject)).toEqual(['June', 'May']);
    expect((await inbox(token, { content: 'may' })).map(({ subject }) => subject)).toEqual(['May']);
    expect(await inbox(token, { kinds: ['alarm'] })).toEqual([]);
    expect(await unread(token)).toBe(2);
  });

  test('marks and deletes what is named, and nothing where one of them is somebody else’s', async () => {
    const { account, token } = await somebody();
    const other = await somebody();
    for (const subject of ['One', 'Two', 'Three']) await tell(account.id, subject);
    await tell(other.account.id, 'Secret');
    const [three, two] = await inbox(token);
    const [secret] = await inbox(other.token);
    const ids = [three?.messageID ?? '', two?.messageID ?? ''];
    expect(await plants.read(messageEndpoints.mark, { ids, isRead: true }, token)).toEqual({ done: 2 });
    expect((await inbox(token, { view: 'unread' })).map(({ subject }) => subject)).toHaveLength(1);
    for (const named of [[...ids, secret?.messageID ?? ''], [crypto.randomUUID()]])
      expect(await plants.call(messageEndpoints.remove, { ids: named }, token)).toMatchObject({
        errno: errno.inboxMessageNotFound,
      });
    expect(await inbox(other.token)).toMatchObject([{ isRead: false }]);
    await plants.read(messageEndpoints.remove, { ids }, token);
    expect(await inbox(token)).toHaveLength(1);
    expect(await plants.read(messageEndpoints.markAll, { untilMs: NOW_MS - 1 }, token)).toEqual({ done: 0 });
    expect(await plants.read(messageEndpoints.markAll, { untilMs: NOW_MS }, token)).toEqual({ done: 1 });
    expect(await unread(token)).toBe(0);
  });

  test('tells its own account at once that something came, and nobody else', async () => {
    const { account, token } = await somebody();
    const other = await somebody();
    const [own, others] = [
      await plants.open(liveEndpoints.stream, ['messages'], token),
      await plants.open(liveEndpoints.stream, ['messages'], other.token),
    ];
    const changed = async (stream: typeof own): Promise<number> => {
      for (;;) {
        const event = await stream.next();
        if (event === undefined) throw new Error('the stream has ended');
        if (event.type === 'changed' && event.subject === 'messages') return event.atMs;
      }
    };
    plants.time.nowMs = undefined;
    await changed(own);
    const first = await changed(others);
    await tell(account.id, 'May', Date.now());
    await changed(own);
    await tell(other.account.id, 'June', Date.now());
    // The first that the other hears is of its own.
    expect(await changed(others)).toBeGreaterThan(first);
    own.leave();
    others.leave();
  });

  test('has one unread message of a work order, which counts what happened since it was read last', async () => {
    const { account, token } = await somebody();
    const [order, another] = [crypto.randomUUID(), crypto.randomUUID()];
    const happens = (recordId: string, event: 'created' | 'answered', atMs: number) =>
      tellMessages(plants.db, [
        { accountId: account.id, kind: 'workOrder', event, at: new Date(atMs), subject: 'Strings', recordId },
      ]);
    await happens(order, 'created', NOW_MS - 3 * HOUR_MS);
    await happens(another, 'created', NOW_MS - 2 * HOUR_MS);
    await happens(order, 'answered', NOW_MS - HOUR_MS);
    expect(await unread(token)).toBe(2);
    const [first, second] = await inbox(token);
    expect(first).toMatchObject({ recordID: order, event: 'answered', count: 2, atMs: NOW_MS - HOUR_MS });
    expect(second).toMatchObject({ recordID: another, count: 1 });
    await plants.read(messageEndpoints.mark, { ids: [first?.messageID ?? ''], isRead: true }, token);
    await happens(order, 'answered', NOW_MS);
    expect((await inbox(token)).map(({ recordID, count }) => [recordID, count])).toEqual([
      [order, 1],
      [order, 2],
      [another, 1],
    ]);
  });

  test('keeps what there is little of, however much of another kind comes', async () => {
    const { account, token } = await somebody();
    const many = (kind: 'alarm' | 'report', count: number, firstMs: number) =>
      tellMessages(
        plants.db,
        Array.from({ length: count }, (_, place) => ({
          accountId: account.id,
          ...(kind === 'alarm' ? { kind, event: 'began' as const } : { kind, event: 'completed' as const }),
          at: new Date(firstMs - place),
          subject: `${place}`,
        })),
      );
    await many('alarm', 300, NOW_MS - HOUR_MS);
    for (let part = 0; part < 3; part += 1) await many('report', 650, NOW_MS - part * 650);
    await forgetSurplus(plants.db);
    const count = async (kind: string) =>
      (await plants.read(messageEndpoints.list, { condition: { kinds: [kind as 'alarm'] } }, token)).total;
    expect([await count('alarm'), await count('report')]).toEqual([300, MOST_MESSAGES - 300]);
  });

  test('keeps a year, and the newest of countless ones', async () => {
    const { account, token } = await somebody();
    await tell(account.id, 'Old', NOW_MS - 366 * 24 * HOUR_MS);
    for (let part = 0; part < 3; part += 1)
      await tellMessages(
        plants.db,
        Array.from({ length: 700 }, (_, place) => ({
          accountId: account.id,
          kind: 'report' as const,
          event: 'completed' as const,
          at: new Date(NOW_MS - (part * 700 + place) * 1_000),
          subject: `${part * 700 + place}`,
        })),
      );
    expect(await forgetOldMessages(plants.db, new Date(NOW_MS), 10)).toBe(1);
    await forgetSurplus(plants.db);
    expect((await plants.read(messageEndpoints.list, {}, token)).total).toBe(MOST_MESSAGES);
    expect((await inbox(token))[0]).toMatchObject({ subject: '0' });
  });
});

describe('an announcement', () => {
  const announced = {
    fromMs: NOW_MS,
    untilMs: NOW_MS + 24 * HOUR_MS,
    levels: [1, 2] as Level[],
    organisationIDs: [] as string[],
    words: [
      { language: 'de' as const, title: 'Wartung', text: 'Am Sonntag.' },
      { language: 'en' as const, title: 'Maintenance', text: 'On Sunday.' },
    ],
  };
  const administrator = async () => {
    const platform = await plants.db
      .selectFrom('organisations')
      .select('id')
      .where('kind', '=', 'platform')
      .executeTakeFirst();
    const id = platform?.id ?? (await plants.addOrganisation('platform')).id;
    return plants.signInOf(await plants.addAccount(id, 255), [id]);
  };

  test('stands in the inbox of the levels and organisations that it is for, as long as it holds, in the language of the reader', async () => {
    const admin = await administrator();
    const agent = await plants.addOrganisation('agent');
    const [inside, outside, owner] = [await somebody(2, agent.path), await somebody(2), await somebody(1, agent.path)];
    const { announcementID } = await plants.read(
      announcementEndpoints.add,
      { ...announced, fromMs: NOW_MS + HOUR_MS, organisationIDs: [agent.id], levels: [2] },
      admin,
    );
    const seenBy = async () =>
      Promise.all([inside, outside, owner].map(async ({ token }) => (await inbox(token)).length));
    expect(await seenBy()).toEqual([0, 0, 0]);
    plants.time.nowMs = NOW_MS + 2 * HOUR_MS;
    expect(await seenBy()).toEqual([1, 0, 0]);
    expect(await inbox(inside.token)).toMatchObject([
      { kind: 'announcement', event: 'announced', subject: 'Maintenance', text: 'On Sunday.', isRead: false },
    ]);
    plants.time.nowMs = NOW_MS + 25 * HOUR_MS;
    expect(await seenBy()).toEqual([0, 0, 0]);
    await plants.read(announcementEndpoints.remove, { announcementID }, admin);
  });

  test('is read and hidden by one and not by others; taken back it is gone for all', async () => {
    const admin = await administrator();
    const [one, other] = [await somebody(), await somebody()];
    const { announcementID } = await plants.read(announcementEndpoints.add, announced, admin);
    await plants.read(messageEndpoints.mark, { ids: [announcementID], isRead: true }, one.token);
    expect([await unread(one.token), await unread(other.token)]).toEqual([0, 1]);
    const listed = async () => (await plants.read(announcementEndpoints.list, {}, admin)).announcements;
    expect(await listed()).toMatchObject([{ state: 'shown', reads: 1, levels: [1, 2] }]);
    await plants.read(messageEndpoints.remove, { ids: [announcementID] }, one.token);
    expect([(await inbox(one.token)).length, (await inbox(other.token)).length]).toEqual([0, 1]);
    await plants.read(announcementEndpoints.remove, { announcementID }, admin);
    expect(await inbox(other.token)).toEqual([]);
    expect(await plants.call(announcementEndpoints.remove, { announcementID }, admin)).toMatchObject({
      errno: errno.announcementNotFound,
    });
  });

  test.each([
    ['one that is over before it begins', { untilMs: NOW_MS - 1 }, errno.refusedInput],
    ['one for longer than a year', { untilMs: NOW_MS + 400 * 24 * HOUR_MS }, errno.refusedInput],
    ['one that says the same language twice', { words: [announced.words[0], announced.words[0]] }, errno.refusedInput],
    [
      'one to an organisation that is not there',
      { organisationIDs: [crypto.randomUUID()] },
      errno.organisationNotFound,
    ],
  ])('is refused: %s', async (_, change, number) => {
    const input = { ...announced, ...change } as typeof announced;
    expect(await plants.call(announcementEndpoints.add, input, await administrator())).toMatchObject({ errno: number });
  });
});
