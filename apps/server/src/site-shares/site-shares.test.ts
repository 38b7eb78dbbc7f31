import { errno } from '@sonnenwarte/contract/errors';
import { type LiveEvent, liveEndpoints } from '@sonnenwarte/contract/live/live';
import { searchEndpoints } from '@sonnenwarte/contract/search/search';
import { form } from '@sonnenwarte/contract/site-form/site-form';
import { MOST_SHARES_AN_HOUR, siteShareEndpoints } from '@sonnenwarte/contract/site-shares/site-shares';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

interface Person {
  readonly id: string;
  readonly token: string;
  readonly name: string;
}

let api: PlantsFixture;
let installer: { id: string; path: string[] };
let owner: Person;
let friend: Person;
let looksAfter: Person;
let site: string;

beforeAll(async () => {
  api = await PlantsFixture.start();
});
afterAll(() => api?.stop());

async function person(level: 1 | 2 | 255, organisationID = installer.id): Promise<Person> {
  const account = await api.addAccount(organisationID, level);
  const name = `p${account.id.slice(0, 12)}`;
  await api.db
    .updateTable('accounts')
    .set({ username: name, name: `Name of ${name}`, email: `${name}@example.org`, email_confirmed_at: new Date() })
    .where('id', '=', account.id)
    .execute();
  return { id: account.id, token: api.signIn(account), name };
}

beforeEach(async () => {
  installer = await api.addOrganisation('installer');
  const elsewhere = await api.addOrganisation('installer');
  [owner, friend, looksAfter] = await Promise.all([person(1), person(1, elsewhere.id), person(2)]);
  site = (await api.addSite(installer.id, { name: `Plant of ${owner.name}`, owner_account_id: owner.id })).id;
});

const share = (by: Person, account: string, right: 'read' | 'workMode' = 'read', stationIDs = [site]) =>
  api.call(siteShareEndpoints.add, { stationIDs, account, right }, by.token);
const sharesSeen = async (by: Person) =>
  (await api.read(siteShareEndpoints.list, { stationID: site }, by.token)).shares;
const plantsOf = async (by: Person) => (await api.read(siteEndpoints.list, {}, by.token)).plants;
const end = (by: Person, shareID: string) => api.call(siteShareEndpoints.end, { shareID }, by.token);
const standing = async (): Promise<string> => (await sharesSeen(owner))[0]?.shareID ?? '';

describe('a plant that is shared', () => {
  test('is seen by who it is shared with everywhere, told by whom, and only read', async () => {
    expect(await plantsOf(friend)).toEqual([]);
    expect(await share(owner, friend.name)).toMatchObject({ errno: 0, result: { sites: 1 } });
    expect(await plantsOf(friend)).toMatchObject([
      {
        stationID: site,
        sharedBy: `Name of ${owner.name}`,
        can: { edit: false, share: false, delete: false, migrate: false, workMode: false },
      },
    ]);
    expect(await api.read(siteEndpoints.detail, { stationID: site }, friend.token)).toMatchObject({
      sharedBy: `Name of ${owner.name}`,
    });
    expect(await plantsOf(owner)).toMatchObject([{ sharedBy: '', can: { edit: true, share: true, workMode: true } }]);
    expect((await api.call(form, { stationID: site }, friend.token)).errno).toBe(errno.noPermission);
    expect((await share(friend, looksAfter.name)).errno).toBe(errno.noPermission);
    const positions = await api.read(siteEndpoints.statusAll, {}, friend.token);
    expect(positions.total).toBe(1);
    const found = await api.read(searchEndpoints.find, { content: `Plant of ${owner.name}` }, friend.token);
    expect(JSON.stringify(found)).toContain(site);
  });

  test('says whether the work mode may be changed, as it was given last', async () => {
    await share(owner, friend.name, 'workMode');
    expect(await plantsOf(friend)).toMatchObject([{ can: { edit: false, workMode: true } }]);
    await api.read(siteShareEndpoints.edit, { shareID: await standing(), right: 'read' }, owner.token);
    expect(await plantsOf(friend)).toMatchObject([{ can: { workMode: false } }]);
    await share(owner, friend.name, 'workMode');
    expect(await sharesSeen(owner)).toMatchObject([{ account: friend.name, right: 'workMode' }]);
  });

  test('is gone once the sharing is ended, from lists and from a stream that is open', async () => {
    await share(owner, friend.name);
    const reader = await api.open(liveEndpoints.stream, [`site:${site}`], friend.token);
    const said = async (type: LiveEvent['type']): Promise<LiveEvent> => {
      for (;;) {
        const event = await reader.next();
        if (event === undefined) throw new Error('the stream has ended');
        if (event.type === type) return event;
      }
    };
    await said('site');
    expect((await end(owner, await standing())).errno).toBe(0);
    expect(await said('gone')).toEqual({ type: 'gone', subject: `site:${site}` });
    reader.leave();
    expect(await plantsOf(friend)).toEqual([]);
    expect((await api.call(siteEndpoints.detail, { stationID: site }, friend.token)).errno).toBe(errno.siteNotFound);
    expect(await standing()).toBe('');
  });
});

describe('who shares', () => {
  test('is the owner and who looks after the plant; a name that cannot be shared with is answered alike, whatever it is', async () => {
    expect((await share(looksAfter, friend.name)).errno).toBe(0);
    const gone = await person(1);
    await api.db.updateTable('accounts').set({ disabled_at: new Date() }).where('id', '=', gone.id).execute();
    const unconfirmed = await person(1);
    await api.db.updateTable('accounts').set({ email_confirmed_at: null }).where('id', '=', unconfirmed.id).execute();
    const answers = await Promise.all(
      ['nobody.at.all', looksAfter.name, gone.name, owner.name, `${unconfirmed.name}@example.org`].map(async (name) =>
        JSON.stringify(await share(owner, name)),
      ),
    );
    expect(new Set(answers).size).toBe(1);
    expect(JSON.parse(answers[0] ?? '')).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'account', reason: 'unknown' }] },
    });
    const stranger = await person(2, (await api.addOrganisation('installer')).id);
    expect((await share(stranger, friend.name)).errno).toBe(errno.siteNotFound);
  });

  test('names by e-mail, and reads no user name from it', async () => {
    await share(owner, `${friend.name}@example.org`);
    expect(await sharesSeen(owner)).toMatchObject([{ account: `${friend.name}@example.org` }]);
  });

  test('tries no list of names', async () => {
    const tries: number[] = [];
    for (let n = 0; n <= MOST_SHARES_AN_HOUR; n += 1) tries.push((await share(owner, `somebody-${n}`)).errno);
    expect(tries.at(-2)).toBe(errno.refusedInput);
    expect(tries.at(-1)).toBe(errno.tryLater);
  });

  test('shares all that were chosen or none', async () => {
    const foreign = await api.addSite((await api.addOrganisation('installer')).id);
    expect((await share(looksAfter, friend.name, 'read', [site, foreign.id])).errno).toBe(errno.siteNotFound);
    expect(await plantsOf(friend)).toEqual([]);
    const second = await api.addSite(installer.id);
    expect((await share(looksAfter, friend.name, 'read', [site, second.id])).result).toEqual({ sites: 2 });
    expect(await plantsOf(friend)).toHaveLength(2);
  });
});

describe('ending', () => {
  test('is for the giver, the owner and who has it; the owner ends what others gave, these not what the owner gave', async () => {
    await share(owner, friend.name);
    const given = await standing();
    expect(await sharesSeen(looksAfter)).toMatchObject([{ can: { edit: false, end: false } }]);
    expect((await end(looksAfter, given)).errno).toBe(errno.shareNotFound);
    expect(await sharesSeen(friend)).toMatchObject([{ can: { edit: false, end: true } }]);
    expect((await end(friend, given)).errno).toBe(0);
    await share(looksAfter, friend.name);
    expect((await end(owner, await standing())).errno).toBe(0);
    await share(looksAfter, friend.name);
    const colleague = await person(2);
    expect((await end(colleague, await standing())).errno).toBe(0);
    expect(await sharesSeen(owner)).toEqual([]);
  });

  test('shows who has a plant shared no other shares, and lets it end none', async () => {
    const other = await person(1);
    await share(owner, friend.name);
    await share(owner, other.name);
    const own = (await sharesSeen(owner)).find(({ account }) => account === friend.name);
    expect((await sharesSeen(friend)).map(({ account }) => account)).toEqual([friend.name]);
    expect((await end(other, own?.shareID ?? '')).errno).toBe(errno.shareNotFound);
  });

  test('is in the log of the plant, as sharing is', async () => {
    await share(owner, friend.name, 'workMode');
    await end(owner, await standing());
    const { rows } = await sql<{ action: string; detail: unknown }>`
      select action, coalesce(after, before) as detail from audit_log where record_id = ${site} order by id`.execute(
      api.db,
    );
    expect(rows).toEqual([
      { action: 'sites.share', detail: { account: friend.name, right: 'workMode' } },
      { action: 'sites.unshare', detail: { account: friend.name, right: 'workMode' } },
    ]);
  });
});
