import { createHash } from 'node:crypto';
import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import { deviceEndpoints } from '@sonnenwarte/contract/devices/devices';
import { errno } from '@sonnenwarte/contract/errors';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { userManagementEndpoints as calls } from '@sonnenwarte/contract/user-management/user-management';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD, demoOrganisationId, integratorInverters } from '../demo/tenancy.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

let portal: TestPortal;
let admin: string;
let distributor: string;
const missing = '11111111-1111-4111-8111-111111111111';

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.sessionOf('admin');
  distributor = await portal.sessionOf('distributor');
});
afterAll(() => portal?.stop());

const as = (token: string) => ({ token });
const idOf = async (user: string): Promise<string> => {
  const { db } = portal.server.stores;
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', user)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.id;
};
let made = 0;
const person = () => {
  made += 1;
  return { user: `person${made}`, email: `person${made}@example.com`, name: 'Pia', phone: '', country: 'DE' };
};
const addOwner = async (token = admin) => {
  const input = { level: 1 as const, organisationID: demoOrganisationId('installer'), ...person() };
  const answer = await portal.call(calls.add, input, as(token));
  expect(answer).toMatchObject({ errno: 0 });
  return answer.result;
};
const signIn = (user: string, password: string) =>
  portal.call(accountEndpoints.login, { user, password: createHash('md5').update(password).digest('hex') });
/** Of one action: refused sign-ins of other tests are noted a moment later. */
const lastAudit = (action: string) =>
  portal.server.stores.db
    .selectFrom('audit_log')
    .select(['log', 'action', 'actor', 'record_name', 'before', 'after'])
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();

describe('the list of accounts', () => {
  test('shows the administrator everybody, a distributor its own tree', async () => {
    const all = await portal.call(calls.list, {}, as(admin));
    expect(all.result.accounts.map(({ user }) => user).sort()).toEqual(
      ['admin', 'integrator', 'agent', 'distributor', 'installer', 'owner', 'j.brandt', 's.keller', 'm.vogel'].sort(),
    );
    const own = await portal.call(calls.list, {}, as(distributor));
    expect(own.result.accounts.map(({ user }) => user).sort()).toEqual(
      ['agent', 'distributor', 'installer', 'owner', 'j.brandt', 's.keller', 'm.vogel'].sort(),
    );
    expect(own.result.accounts.find(({ user }) => user === 'agent')).toMatchObject({
      level: 3,
      sites: 8,
      organisation: 'Sonnenwarte Demo Agentur',
    });
    expect(own.result.accounts.find(({ user }) => user === 'owner')).toMatchObject({ level: 1, sites: 2 });
  });

  test('says of each what may be done: a distributor manages those below its level, itself not at all', async () => {
    const { result } = await portal.call(calls.list, {}, as(distributor));
    const can = Object.fromEntries(result.accounts.map((row) => [row.user, row.can]));
    const none = { edit: false, setEnabled: false, resetPassword: false, delete: false, grant: false, move: false };
    const managed = { ...none, edit: true, setEnabled: true, resetPassword: true };
    expect(can).toEqual({
      distributor: none,
      's.keller': none,
      'j.brandt': none,
      agent: managed,
      installer: managed,
      'm.vogel': managed,
      owner: managed,
    });
    expect(result.can.add).toEqual([1, 2, 3]);
    const all = await portal.call(calls.list, {}, as(admin));
    expect(all.result.can.add).toEqual([1, 2, 3, 4, 10, 255]);
    expect(all.result.accounts.find(({ user }) => user === 'admin')?.can).toEqual(none);
  });

  test.each([
    ['user', 'name', 'email', 'phone', 'level'],
    ['organisation', 'country', 'state', 'lastSignInMs', 'createdAtMs'],
  ] as const)('is sorted by %s, %s, %s, %s and %s in both orders without losing anybody', async (...fields) => {
    for (const field of fields)
      for (const order of ['asc', 'desc'] as const) {
        const { result } = await portal.call(calls.list, { sort: { field, order }, pageSize: 50 }, as(admin));
        expect(new Set(result.accounts.map(({ id }) => id)).size).toBe(result.total);
      }
  });

  test.each([
    ['text', { content: 'AGENT@demo' }, ['agent']],
    ['level', { level: 10 as const }, ['integrator']],
    ['organisation', { organisation: demoOrganisationId('agent') }, ['agent', 'installer', 'm.vogel', 'owner']],
    ['a pattern sign, taken as itself', { content: '%' }, []],
  ])('is filtered by %s', async (_, condition, users) => {
    const { result } = await portal.call(calls.list, { condition }, as(admin));
    expect(result.accounts.map(({ user }) => user).sort()).toEqual(users);
  });

  test('another distributor’s organisation as filter finds nobody', async () => {
    const condition = { organisation: demoOrganisationId('distributor-2') };
    expect((await portal.call(calls.list, { condition }, as(distributor))).result.total).toBe(0);
  });
});

describe('making an account', () => {
  test('an installer comes with an organisation of its own that it leads', async () => {
    const input = {
      level: 2 as const,
      organisationID: demoOrganisationId('agent'),
      organisation: 'Neu Solar',
      ...person(),
    };
    const { result } = await portal.call(calls.add, input, as(distributor));
    const row = await portal.call(calls.detail, { id: result.id }, as(distributor));
    expect(row.result).toMatchObject({ organisation: 'Neu Solar', level: 2, leads: true, passwordTemporary: true });
    expect((await signIn(result.user, result.password)).errno).toBe(0);
    expect((await signIn(result.user, result.password)).errno).toBe(errno.badUserNameOrPassword);
  });

  test.each([
    [4, 'Another distributor'],
    [10, undefined],
    [255, undefined],
  ] as const)('a distributor makes none of level %i', async (level, organisation) => {
    const input = { level, organisationID: demoOrganisationId('distributor'), organisation, ...person() };
    expect(await portal.call(calls.add, input, as(distributor))).toMatchObject({ errno: errno.noPermission });
  });

  test('a distributor makes none outside its tree, and is answered as if the organisation did not exist', async () => {
    const make = (organisationID: string) =>
      portal.call(calls.add, { level: 1, organisationID, ...person() }, as(distributor));
    const strange = await make(demoOrganisationId('distributor-2'));
    expect(strange).toEqual(await make(missing));
    expect(strange.errno).toBe(errno.organisationNotFound);
  });

  test('asks for the organisation where the level needs one', async () => {
    expect(await portal.call(calls.add, { level: 1, ...person() }, as(admin))).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'organisationID', reason: 'required' }] },
    });
    const input = { level: 3 as const, organisationID: demoOrganisationId('distributor'), ...person() };
    expect(await portal.call(calls.add, input, as(admin))).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'organisation', reason: 'required' }] },
    });
  });
});

describe('the address of a new account', () => {
  test('is told to nobody as taken: its owner elsewhere is written to, and keeps it', async () => {
    const { db } = portal.server.stores;
    const place = { level: 1 as const, organisationID: demoOrganisationId('installer') };
    const theirs = 'admin@demo.sonnenwarte.example';
    const free = 'free.address@example.com';
    for (const email of [theirs, free]) {
      const { errno: number, result } = await portal.call(
        calls.add,
        { ...place, ...person(), email: email.toUpperCase() },
        as(distributor),
      );
      expect(number).toBe(0);
      const added = await db.selectFrom('accounts').select('email_confirmed_at').where('id', '=', result.id).execute();
      expect(added).toEqual([{ email_confirmed_at: null }]);
    }
    const subjectTo = async (email: string) =>
      (await db.selectFrom('mails').select('subject').where('recipient', '=', email.toUpperCase()).execute())[0]
        ?.subject;
    await expect.poll(() => subjectTo(free), { timeout: 10_000 }).toMatch(/^Confirm/);
    await expect.poll(() => subjectTo(theirs), { timeout: 10_000 }).toMatch(/account/);
    expect((await signIn(theirs, DEMO_PASSWORD)).result).toMatchObject({ user: 'admin' });
  });
});

describe('managing an account', () => {
  test('an edit keeps before and after in the log, and does not tell whether another has the e-mail', async () => {
    const { id } = await addOwner(distributor);
    const fields = {
      name: 'Paula',
      email: 'paula@example.com',
      phone: '',
      country: 'AT',
      city: 'Wien',
      address: '',
      postcode: '',
      note: '',
    };
    expect(await portal.call(calls.edit, { id, ...fields }, as(distributor))).toMatchObject({ errno: 0 });
    expect(await lastAudit('user-management.edit')).toMatchObject({
      log: 'account',
      actor: 'distributor',
      before: { name: 'Pia', country: 'DE', city: '' },
      after: { name: 'Paula', country: 'AT', city: 'Wien' },
    });
    expect(
      await portal.call(calls.edit, { id, ...fields, email: 'agent@demo.sonnenwarte.example' }, as(distributor)),
    ).toEqual(await portal.call(calls.edit, { id, ...fields, email: 'nobody.has.it@example.com' }, as(distributor)));
    const { email_confirmed_at } = await portal.server.stores.db
      .selectFrom('accounts')
      .select('email_confirmed_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(email_confirmed_at).toBeNull();
  });

  test('disabling ends its sessions with 41810 and refuses its password; enabling lets it in again', async () => {
    const { id, user, password } = await addOwner();
    const { result } = await signIn(user, password);
    expect(await portal.call(calls.setEnabled, { id, enabled: false }, as(distributor))).toMatchObject({ errno: 0 });
    expect(await portal.call(accountEndpoints.info, {}, as(result.token))).toMatchObject({ errno: errno.sessionEnded });
    const reset = await portal.call(calls.resetPassword, { id }, as(distributor));
    expect((await signIn(user, reset.result.password)).errno).toBe(errno.badUserNameOrPassword);
    expect(await portal.call(calls.setEnabled, { id, enabled: true }, as(distributor))).toMatchObject({ errno: 0 });
    expect((await signIn(user, reset.result.password)).errno).toBe(0);
  });

  test('a reset signs out everywhere; the log does not hold the password', async () => {
    const { id, user, password } = await addOwner();
    const { result } = await signIn(user, password);
    const reset = await portal.call(calls.resetPassword, { id }, as(admin));
    expect(await portal.call(accountEndpoints.info, {}, as(result.token))).toMatchObject({ errno: errno.sessionEnded });
    const audit = await lastAudit('user-management.resetPassword');
    expect(audit).toMatchObject({ log: 'account', record_name: user });
    expect(JSON.stringify(audit)).not.toContain(reset.result.password);
    expect(await signIn(user, reset.result.password)).toMatchObject({ errno: 0, result: { passwordTemporary: true } });
  });

  test.each(['setEnabled', 'resetPassword', 'edit', 'remove'] as const)(
    '%s is refused on the own account, a peer and an administrator; a stranger’s is answered like a missing one',
    async (call) => {
      const fields = {
        name: '',
        email: 'x@example.com',
        phone: '',
        country: '',
        city: '',
        address: '',
        postcode: '',
        note: '',
      };
      const ask = async (id: string, token: string) =>
        portal.call(calls[call], { id, enabled: false, ...fields } as never, as(token));
      expect(await ask(await idOf('distributor'), distributor)).toMatchObject({ errno: errno.notToThisAccount });
      expect(await ask(await idOf('admin'), admin)).toMatchObject({ errno: errno.notToThisAccount });
      const strange = await ask(await idOf('admin'), distributor);
      expect(strange).toEqual(await ask(missing, distributor));
      expect(strange.errno).toBe(errno.accountNotFound);
    },
  );

  test('an administrator with few codes neither makes nor takes over one with all', async () => {
    const { db } = portal.server.stores;
    const { result } = await portal.call(calls.add, { level: 255, ...person() }, as(admin));
    await db
      .updateTable('accounts')
      .set({ leads: false, password_temporary: false })
      .where('id', '=', result.id)
      .execute();
    const narrow = await portal.sessionOf(result.user);
    const id = await idOf('admin');
    expect(await portal.call(calls.resetPassword, { id }, as(narrow))).toMatchObject({ errno: errno.notToThisAccount });
    expect(await portal.call(calls.add, { level: 255, ...person() }, as(narrow))).toMatchObject({
      errno: errno.noPermission,
    });
  });
});

describe('deleting an account', () => {
  test('an owner’s plants go to the agent above without an owner, with the count told before', async () => {
    const { id } = await addOwner();
    const { db } = portal.server.stores;
    const ofInstaller = db
      .selectFrom('sites')
      .select('id')
      .where('organisation_id', '=', demoOrganisationId('installer'))
      .where('owner_account_id', 'is', null)
      .limit(2);
    const sites = await ofInstaller.execute();
    const ids = sites.map((site) => site.id);
    await db.updateTable('sites').set({ owner_account_id: id }).where('id', 'in', ids).execute();
    const preview = await portal.call(calls.deletionPreview, { id }, as(admin));
    expect(preview.result).toMatchObject({ movedSites: 2, sites: 0, goesTo: 'Sonnenwarte Demo Agentur' });
    const wrong = { id, expected: { sites: 0, endUsers: 0, movedSites: 1 } };
    expect(await portal.call(calls.remove, wrong, as(admin))).toMatchObject({ errno: errno.consequencesChanged });
    const right = { id, expected: { sites: 0, endUsers: 0, movedSites: 2 } };
    expect(await portal.call(calls.remove, right, as(admin))).toMatchObject({ errno: 0 });
    const moved = await db
      .selectFrom('sites')
      .select(['organisation_id', 'owner_account_id'])
      .where('id', 'in', ids)
      .execute();
    expect(moved).toEqual(ids.map(() => ({ organisation_id: demoOrganisationId('agent'), owner_account_id: null })));
    const dataloggers = await db
      .selectFrom('loggers')
      .select('organisation_id')
      .distinct()
      .where('site_id', 'in', ids)
      .execute();
    expect(dataloggers).toEqual([{ organisation_id: demoOrganisationId('agent') }]);
    expect((await portal.call(siteEndpoints.list, {}, as(await portal.sessionOf('agent')))).result.total).toBe(8);
  });

  test('one that leads an organisation with others below it is refused', async () => {
    expect(await portal.call(calls.remove, { id: await idOf('agent') }, as(admin))).toMatchObject({
      errno: errno.organisationNotEmpty,
    });
  });

  test('a distributor deletes nobody', async () => {
    const { id } = await addOwner();
    expect(await portal.call(calls.remove, { id }, as(distributor))).toMatchObject({ errno: errno.notToThisAccount });
  });
});

describe('devices of integrators', () => {
  const granted = async (id: string) =>
    (await portal.call(calls.grantList, { id, pageSize: 50 }, as(admin))).result.devices.map(({ sn }) => sn);

  test('are listed, checked line by line, granted and taken away, and seen at once by the integrator', async () => {
    const id = await idOf('integrator');
    const integrator = await portal.sessionOf('integrator');
    const seen = async () => (await portal.call(deviceEndpoints.list, {}, as(integrator))).result.total;
    expect((await granted(id)).sort()).toEqual([...integratorInverters].sort());
    const before = await seen();
    const all = await portal.call(
      calls.grantList,
      { id, pageSize: 50, condition: { granted: false, content: '' } },
      as(admin),
    );
    const fresh = all.result.devices.find((device) => !device.granted && device.kind === 'inverter');
    const [old = ''] = integratorInverters;
    const sns = [fresh?.sn.toLowerCase() ?? '', '', old, fresh?.sn ?? '', 'NO-SUCH-SN'];
    const { result } = await portal.call(calls.grantCheck, { id, sns }, as(admin));
    expect(result.lines.map(({ outcome }) => outcome)).toEqual(['new', 'granted', 'repeated', 'unknown']);
    const deviceIds = [fresh?.id ?? ''];
    expect((await portal.call(calls.grantAdd, { id, deviceIds }, as(admin))).result.changed).toBe(1);
    expect(await lastAudit('grants.add')).toMatchObject({ after: { devices: [fresh?.sn] } });
    expect(await seen()).toBe(before + 1);
    expect((await portal.call(calls.grantRemove, { id, deviceIds }, as(admin))).result.changed).toBe(1);
    expect(await seen()).toBe(before);
  });

  test('are for integrators only: any other account answers like a missing one', async () => {
    const ask = async (id: string) => portal.call(calls.grantList, { id }, as(admin));
    expect(await ask(await idOf('owner'))).toEqual(await ask(missing));
  });

  test('an unknown device among those to grant refuses them all', async () => {
    const id = await idOf('integrator');
    const before = await granted(id);
    expect(await portal.call(calls.grantAdd, { id, deviceIds: [missing] }, as(admin))).toMatchObject({
      errno: errno.deviceNotFound,
    });
    expect(await granted(id)).toEqual(before);
  });
});
