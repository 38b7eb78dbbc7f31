import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import { errno } from '@sonnenwarte/contract/errors';
import { handoverEndpoints as calls, type HandoverNow } from '@sonnenwarte/contract/handover/handover';
import { type LiveEvent, liveEndpoints } from '@sonnenwarte/contract/live/live';
import { signUpEndpoints } from '@sonnenwarte/contract/sign-up/sign-up';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { demoOrganisationId } from '../demo/tenancy.ts';
import { ownHandover, refusedCode, unknownCode } from '../testing/handover-fixture.ts';
import { mailTo } from '../testing/outbox.ts';
import { platformId } from '../testing/people.ts';
import { LiveReader } from '../testing/plants-fixture.ts';
import { callInto, changedDuring } from '../testing/row-locks.ts';

const world = ownHandover();
const { db, finishedPlant, newUser, entered, signUp, customer, make, codeOf, take, stateOf, look, plantsOf, ownerOf } =
  world;

describe('a customer who signs up by the code', () => {
  test('owns the plant at once, speaks the language of its screen, and is bound to who looks after the plant', async () => {
    const plant = await finishedPlant();
    const code = await codeOf(plant);
    const user = newUser();
    expect((await signUp(user, code.toLowerCase().replaceAll('-', ' '))).errno).toBe(0);
    const token = await world.portal.sessionOf(user);
    expect(await plantsOf(token)).toEqual([plant]);
    const account = await db()
      .selectFrom('accounts')
      .select(['organisation_id', 'language', 'level'])
      .where('username', '=', user)
      .executeTakeFirstOrThrow();
    expect(account).toEqual({ organisation_id: demoOrganisationId('installer'), language: 'pl', level: 1 });
    expect(await plantsOf(world.installer)).toContain(plant);
  });

  test('sees before it which plant of whom, and no more', async () => {
    const plant = await finishedPlant();
    const { result } = await look(await codeOf(plant));
    expect(result).toEqual({
      invitation: {
        organisation: 'Sonnenwarte Demo Solartechnik',
        role: 'endUser',
        plant: { name: expect.stringMatching(/^Haus/), country: 'DE', city: 'Freising', systemCapacity: 12 },
      },
      used: false,
    });
  });

  test('with a user name that is taken gets no account, and the code can still be used', async () => {
    const plant = await finishedPlant();
    const code = await codeOf(plant);
    expect(await signUp('owner', code)).toMatchObject({ errno: errno.refusedInput });
    expect(await ownerOf(plant)).toBeNull();
    expect((await stateOf(plant)).handover).toMatchObject({ state: 'open', usedMs: null });
    expect((await signUp(newUser(), code)).errno).toBe(0);
  });

  test('cannot do so as an installer', async () => {
    const code = await codeOf(await finishedPlant());
    const answer = await world.portal.call(signUpEndpoints.signUp, { ...entered(newUser(), code), role: 'installer' });
    expect(answer).toMatchObject(refusedCode('wrong'));
  });
});

describe('a customer who has an account', () => {
  test('takes the plant over, and joins who looks after it where nobody looks after the account yet', async () => {
    const plant = await finishedPlant();
    const { user, token } = await customer();
    expect(await take(token, await codeOf(plant))).toMatchObject({ errno: 0, result: { stationID: plant } });
    expect(await plantsOf(token)).toEqual([plant]);
    const { organisation_id } = await db()
      .selectFrom('accounts')
      .select('organisation_id')
      .where('username', '=', user)
      .executeTakeFirstOrThrow();
    expect(organisation_id).toBe(demoOrganisationId('installer'));
  });

  test('with plants of its own stays where it is', async () => {
    const { user, token } = await customer();
    const own = await finishedPlant();
    const { id } = await db()
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', user)
      .executeTakeFirstOrThrow();
    await db().updateTable('sites').set({ owner_account_id: id }).where('id', '=', own).execute();
    await take(token, await codeOf(await finishedPlant()));
    const account = await db().selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(account.organisation_id).toBe(await platformId(world.portal));
    expect(await plantsOf(token)).toHaveLength(2);
  });
});

describe('a code', () => {
  test('is kept as a hash, and told only to who makes it', async () => {
    const plant = await finishedPlant();
    const code = await codeOf(plant);
    const rows = await db().selectFrom('handovers').selectAll().where('site_id', '=', plant).execute();
    const entries = await db().selectFrom('audit_log').selectAll().where('record_id', '=', plant).execute();
    expect(entries).toMatchObject([{ action: 'handover.make', actor: 'installer' }]);
    const told = JSON.stringify([rows, entries, await stateOf(plant)]);
    expect(told).not.toContain(code);
    expect(told).not.toContain(code.replaceAll('-', ''));
  });

  test('is good once: the giver learns by whom and when, others that it was used', async () => {
    const plant = await finishedPlant();
    const code = await codeOf(plant);
    const first = newUser();
    await signUp(first, code);
    expect(await signUp(newUser(), code)).toMatchObject(refusedCode('taken'));
    const late = await customer();
    expect(await take(late.token, code)).toMatchObject({ errno: errno.handoverCodeUsed });
    expect((await look(code)).result).toEqual({ invitation: null, used: true });
    expect(await stateOf(plant)).toMatchObject({
      owner: first,
      handover: { state: 'used', by: 'installer', usedBy: first, usedMs: expect.any(Number), newAccount: true },
    });
    expect(await ownerOf(plant)).toBe(first);
  });

  test('is good for a day, and for thirty once it is printed; one that has ended stays so', async () => {
    const plant = await finishedPlant();
    const code = await codeOf(plant);
    const hoursOf = async () => {
      const { handover } = await stateOf(plant);
      return handover && (handover.expiresMs - handover.madeMs) / 3_600_000;
    };
    const prolong = () => world.portal.call(calls.prolong, { stationID: plant }, { token: world.installer });
    expect(await hoursOf()).toBe(24);
    expect((await prolong()).result.handover).toMatchObject({ state: 'open' });
    expect(await hoursOf()).toBe(720);
    await prolong();
    expect(await hoursOf()).toBe(720);
    expect((await signUp(newUser(), code)).errno).toBe(0);
    const other = await finishedPlant();
    await codeOf(other);
    await world.portal.call(calls.withdraw, { stationID: other }, { token: world.installer });
    const { result } = await world.portal.call(calls.prolong, { stationID: other }, { token: world.installer });
    expect(result.handover).toMatchObject({ state: 'withdrawn' });
    expect((result.handover?.expiresMs ?? 0) - (result.handover?.madeMs ?? 0)).toBe(24 * 3_600_000);
  });

  test('that is withdrawn, replaced, expired or of a deleted plant is answered as one that never was', async () => {
    const ended: ((plant: string) => Promise<unknown>)[] = [
      (stationID) => world.portal.call(calls.withdraw, { stationID }, { token: world.installer }),
      (stationID) => make(stationID),
      (id) =>
        db()
          .updateTable('handovers')
          .set({ expires_at: sql`now() - interval '1 second'` })
          .where('site_id', '=', id)
          .execute(),
      (id) => db().updateTable('sites').set({ deleted_at: new Date() }).where('id', '=', id).execute(),
    ];
    const { token } = await customer();
    const answersOf = async (code: string) => [
      await signUp(newUser(), code),
      await look(code),
      await take(token, code),
    ];
    const unknown = await answersOf(unknownCode);
    expect(unknown).toMatchObject([
      refusedCode('wrong'),
      { errno: 0, result: { invitation: null, used: false } },
      { errno: errno.handoverCodeInvalid },
    ]);
    for (const end of ended) {
      const plant = await finishedPlant();
      const code = await codeOf(plant);
      await end(plant);
      expect(await answersOf(code)).toEqual(unknown);
      expect(await ownerOf(plant)).toBeNull();
    }
  });

  test.each([
    ['is disabled', { disabled_at: new Date() }],
    ['is deleted', { deleted_at: new Date() }],
    ['has gone elsewhere', { organisation_id: demoOrganisationId('installer-2') }],
    ['may not edit plants any more', { leads: false }],
  ])('is void once who gave it %s', async (_, change) => {
    const plant = await finishedPlant();
    const user = newUser();
    const { id } = await db()
      .insertInto('accounts')
      .values({
        organisation_id: demoOrganisationId('installer'),
        username: user,
        email: `${user}@example.com`,
        password_hash: '',
        level: 2,
        leads: true,
        disabled_at: null,
        deleted_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { result } = await make(plant, {}, await world.portal.sessionOf(user));
    await db().updateTable('accounts').set(change).where('id', '=', id).execute();
    expect(await signUp(newUser(), result.code)).toMatchObject(refusedCode('wrong'));
    expect((await stateOf(plant)).handover?.state).toBe('void');
    expect(await ownerOf(plant)).toBeNull();
  });

  test('is void once the plant has another owner or is looked after elsewhere', async () => {
    const { user, token } = await customer();
    const owned = await finishedPlant();
    const moved = await finishedPlant();
    const codes = [await codeOf(owned), await codeOf(moved)];
    await db()
      .updateTable('sites')
      .set({ owner_account_id: sql`(select id from accounts where username = ${user})` })
      .where('id', '=', owned)
      .execute();
    await db()
      .updateTable('sites')
      .set({ organisation_id: demoOrganisationId('installer-2') })
      .where('id', '=', moved)
      .execute();
    for (const code of codes) expect(await take(token, code)).toMatchObject({ errno: errno.handoverCodeInvalid });
  });

  test('can be tried twenty times an hour by an account, and sixty times by an address', async () => {
    const { token } = await customer();
    for (let tried = 0; tried < 20; tried += 1) await take(token, unknownCode);
    const code = await codeOf(await finishedPlant());
    expect(await take(token, code)).toMatchObject({ errno: errno.tryLater });
    for (let tried = 0; tried < 60; tried += 1) await look(unknownCode);
    expect(await look(code)).toMatchObject({ errno: errno.tryLater });
  });
});

describe('two customers at once', () => {
  test('one owns the plant, and the other is told that the code was used and has no account', async () => {
    const plant = await finishedPlant();
    const code = await codeOf(plant);
    const [one, other] = [newUser(), newUser()];
    const both = await db()
      .transaction()
      .execute(async (tx) => {
        await sql`select from sites where id = ${plant} for update`.execute(tx);
        return [
          await callInto(db(), () => signUp(one, code)),
          await callInto(db(), () => signUp(other, code, '192.0.2.2')),
        ];
      });
    const answers = await Promise.all(both.map(({ answer }) => answer));
    expect(answers.map((answer) => answer.errno).sort()).toEqual([0, errno.refusedInput]);
    expect(answers.find((answer) => answer.errno !== 0)).toMatchObject(refusedCode('taken'));
    const accounts = await db()
      .selectFrom('accounts')
      .select('username')
      .where('username', 'in', [one, other])
      .execute();
    expect(accounts).toEqual([{ username: await ownerOf(plant) }]);
  });

  test('a code that is withdrawn while somebody signs up by it gives nothing', async () => {
    const plant = await finishedPlant();
    const code = await codeOf(plant);
    const answer = await changedDuring(
      db(),
      (tx) => tx.updateTable('handovers').set({ withdrawn_at: new Date() }).where('site_id', '=', plant).execute(),
      () => signUp(newUser(), code),
    );
    expect(answer).toMatchObject(refusedCode('wrong'));
    expect(await ownerOf(plant)).toBeNull();
  });
});

describe('a plant that somebody owns', () => {
  test('is handed over only where it is said that its owner is replaced', async () => {
    const plant = await finishedPlant();
    const before = newUser();
    await signUp(before, await codeOf(plant));
    expect(await make(plant)).toMatchObject({ errno: errno.siteHasOwner });
    const { result } = await make(plant, { replacesOwner: true });
    const after = newUser();
    expect((await signUp(after, result.code)).errno).toBe(0);
    expect(await ownerOf(plant)).toBe(after);
    expect(await plantsOf(await world.portal.sessionOf(before))).toEqual([]);
    const entries = await db()
      .selectFrom('audit_log')
      .select(['action', 'actor', 'after'])
      .where('record_id', '=', plant)
      .orderBy('id')
      .execute();
    expect(entries).toMatchObject([
      { action: 'handover.make', actor: 'installer', after: { replaces: '' } },
      { action: 'handover.take', actor: before, after: { owner: before, givenBy: 'installer' } },
      { action: 'handover.make', actor: 'installer', after: { replaces: before } },
      { action: 'handover.take', actor: after, after: { owner: after, givenBy: 'installer' } },
    ]);
  });
});

async function watch(token: string, subject: string): Promise<LiveReader> {
  const leaving = new AbortController();
  const options = { token, signal: leaving.signal };
  return new LiveReader(await world.portal.fetch(liveEndpoints.stream, { subjects: [subject] }, options), leaving);
}

/** Reads on until an event fits. */
async function untilTold(reader: LiveReader, fits: (event: LiveEvent) => boolean): Promise<void> {
  for (let event = await reader.next(); event !== undefined; event = await reader.next()) if (fits(event)) return;
  throw new Error('the stream has ended');
}

const plantCount = (count: number) => (event: LiveEvent) =>
  event.type === 'fleet' && event.fleet.plants.total === count;
const step = (fits: (now: HandoverNow | null) => boolean) => (event: LiveEvent) =>
  event.type === 'handover' && fits(event.handover);

describe('both screens', () => {
  test('show it as it happens: the giver each step, the customer the plant', async () => {
    const plant = await finishedPlant();
    const { token } = await customer();
    const giver = await watch(world.installer, `handover:${plant}`);
    const home = await watch(token, 'fleet');
    await untilTold(home, plantCount(0));
    await untilTold(
      giver,
      step((now) => now === null),
    );
    const code = await codeOf(plant);
    await untilTold(
      giver,
      step((now) => now?.state === 'open' && now.openedMs === null),
    );
    await look(code);
    await untilTold(
      giver,
      step((now) => now?.openedMs != null),
    );
    await take(token, code);
    await untilTold(home, plantCount(1));
    await untilTold(
      giver,
      step((now) => now?.state === 'used' && now.seenMs === null),
    );
    await world.portal.call(calls.seen, { stationID: plant }, { token });
    await untilTold(
      giver,
      step((now) => now?.seenMs != null),
    );
    giver.leave();
    home.leave();
  });

  test('show that the new owner has confirmed the address', async () => {
    const plant = await finishedPlant();
    const user = newUser();
    await signUp(user, await codeOf(plant));
    const giver = await watch(world.installer, `handover:${plant}`);
    await untilTold(
      giver,
      step((now) => now?.usedBy === user && now.emailConfirmedMs === null),
    );
    const { code } = await mailTo(world.dataDir, `${user}@example.com`);
    await world.portal.call(accountEndpoints.confirmEmail, { code });
    await untilTold(
      giver,
      step((now) => now?.emailConfirmedMs != null),
    );
    giver.leave();
  });

  test('show nothing to who does not hand this plant over: a stranger, and an owner', async () => {
    const plant = await finishedPlant();
    const user = newUser();
    await signUp(user, await codeOf(plant));
    await db()
      .updateTable('sites')
      .set({ organisation_id: demoOrganisationId('installer-2') })
      .where('id', '=', plant)
      .execute();
    for (const token of [world.installer, await world.portal.sessionOf(user)]) {
      const reader = await watch(token, `handover:${plant}`);
      expect((await reader.next())?.type).toBe('hello');
      expect(await reader.next()).toEqual({ type: 'gone', subject: `handover:${plant}` });
      reader.leave();
    }
    expect(await make(plant)).toMatchObject({ errno: errno.siteNotFound });
  });
});
