import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import type { Input } from '@sonnenwarte/contract/endpoint';
import { errno } from '@sonnenwarte/contract/errors';
import { fleetEndpoints } from '@sonnenwarte/contract/fleet/fleet';
import { organisationEndpoints as calls } from '@sonnenwarte/contract/organisations/organisations';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoOrganisationId } from '../demo/tenancy.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

let portal: TestPortal;
let admin: string;
let platform: string;
const missing = '11111111-1111-4111-8111-111111111111';

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.sessionOf('admin');
  const { id } = await portal.server.stores.db
    .selectFrom('organisations')
    .select('id')
    .where('kind', '=', 'platform')
    .executeTakeFirstOrThrow();
  platform = id;
});
afterAll(() => portal?.stop());

const as = (token: string) => ({ token });
let made = 0;
const add = async (kind: 'distributor' | 'agent' | 'installer', parentID: string) => {
  made += 1;
  const name = `Org ${made}`;
  const answer = await portal.call(
    calls.add,
    {
      kind,
      parentID,
      name,
      country: 'DE',
      email: '',
      phone: '',
      note: '',
      user: `leader${made}`,
      accountEmail: `leader${made}@example.com`,
      accountName: 'Lea',
    },
    as(admin),
  );
  expect(answer).toMatchObject({ errno: 0 });
  return { ...answer.result, name };
};
const rowOf = async (id: string) => (await portal.call(calls.detail, { id }, as(admin))).result;
const lastAudit = (action: string) =>
  portal.server.stores.db
    .selectFrom('audit_log')
    .select(['action', 'actor', 'record_name', 'before', 'after'])
    .where('log', '=', 'operation')
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();

describe('the list of organisations', () => {
  test('shows each with its parent and what hangs below it', async () => {
    const { result } = await portal.call(calls.list, { sort: { field: 'kind', order: 'asc' } }, as(admin));
    expect(result.total).toBe(8);
    expect(result.organisations[0]).toMatchObject({ kind: 'platform', parent: null, organisations: 7, sites: 12 });
    expect(result.organisations.find(({ id }) => id === demoOrganisationId('agent'))).toMatchObject({
      kind: 'agent',
      country: 'DE',
      parent: 'Sonnenwarte Demo Distribution',
      organisations: 2,
      sites: 8,
      accounts: 1,
      state: 'enabled',
    });
  });

  test.each([
    ['text in the name', { content: 'elektro' }, ['Sonnenwarte Demo Elektro']],
    ['number', { content: '1001' }, [expect.any(String)]],
    ['kind', { kind: 'platform' as const }, ['Sonnenwarte']],
    ['place in the tree', { parent: demoOrganisationId('agent-2') }, ['Sonnenwarte Demo Solar East']],
    ['state', { state: 'disabled' as const }, []],
    ['country', { country: 'FR' }, []],
  ])('is filtered by %s', async (_, condition, names) => {
    const { result } = await portal.call(calls.list, { condition }, as(admin));
    expect(result.organisations.map(({ name }) => name)).toEqual(names);
    expect(result.total).toBe(names.length);
  });

  test.each(['number', 'name', 'kind', 'country', 'email', 'parent', 'state', 'createdAtMs'] as const)(
    'sorted by %s loses and repeats nothing over its pages',
    async (field) => {
      const pages = await Promise.all(
        [1, 2].map((currentPage) =>
          portal.call(calls.list, { currentPage, pageSize: 10, sort: { field, order: 'desc' } }, as(admin)),
        ),
      );
      const ids = pages.flatMap(({ result }) => result.organisations.map(({ id }) => id));
      expect(new Set(ids).size).toBe(pages[0]?.result.total);
    },
  );

  test('is exported with the same filter', async () => {
    const response = await portal.fetch(
      calls.exportList,
      { condition: { content: 'elektro' }, columns: ['name', 'kind', 'parent'], format: 'csv' },
      { token: admin },
    );
    expect(await response.text()).toContain('Sonnenwarte Demo Elektro,Installer,Sonnenwarte Demo Agentur');
  });

  test('the tree of a distributor is its own; the list is the platform’s alone', async () => {
    const token = await portal.sessionOf('distributor');
    const { result } = await portal.call(calls.tree, {}, as(token));
    expect(result.organisations.map(({ name }) => name)).toHaveLength(6);
    expect(result.organisations[0]).toMatchObject({ name: 'Sonnenwarte Demo Distribution', sites: 10 });
    expect(await portal.call(calls.list, {}, as(token))).toMatchObject({ errno: errno.noPermission });
  });
});

describe('the choice of an organisation', () => {
  const choicesFor = async (input: Input<typeof calls.choices>, token = admin) =>
    (await portal.call(calls.choices, input, as(token))).result.choices;

  test('finds names by any part, whatever its case and signs, and numbers, and names what is above', async () => {
    const [found, ...others] = await choicesFor({ search: 'SOLARTECH' });
    expect(found).toEqual({
      id: demoOrganisationId('installer'),
      name: 'Sonnenwarte Demo Solartechnik',
      detail: 'Sonnenwarte Demo Agentur',
      kind: 'installer',
      number: expect.any(Number),
    });
    expect(others).toEqual([]);
    expect((await choicesFor({ search: String(found?.number) })).map(({ id }) => id)).toContain(found?.id);
    expect(await choicesFor({ search: '%' })).toEqual([]);
  });

  test('holds the kinds that are asked for, in their order, and open ones alone where closed ones are no choice', async () => {
    const kinds = (await choicesFor({ kinds: ['installer', 'agent'] })).map(({ kind }) => kind);
    expect(kinds).toEqual([...kinds].sort((a, b) => b.localeCompare(a)));
    expect(new Set(kinds)).toEqual(new Set(['installer', 'agent']));
    const id = demoOrganisationId('agent-2');
    const disabled = (disabled_at: Date | null) =>
      portal.server.stores.db.updateTable('organisations').set({ disabled_at }).where('id', '=', id).execute();
    await disabled(new Date());
    const open = await choicesFor({ kinds: ['agent'], state: 'enabled' });
    const all = await choicesFor({ kinds: ['agent'] });
    await disabled(null);
    expect(open.map((each) => each.id)).not.toContain(id);
    expect(all.map((each) => each.id)).toContain(id);
  });

  test('names those whose ids are given, whatever is searched for, and none beyond the scope', async () => {
    const token = await portal.sessionOf('distributor');
    const ids = [demoOrganisationId('agent'), platform, missing];
    expect((await choicesFor({ ids, search: 'nothing of this name' }, token)).map(({ id }) => id)).toEqual([
      demoOrganisationId('agent'),
    ]);
    expect((await choicesFor({ ids })).map(({ id }) => id)).toEqual([platform, demoOrganisationId('agent')]);
    expect(await choicesFor({ ids: [] })).toEqual([]);
    expect((await choicesFor({}, token)).map(({ id }) => id)).not.toContain(platform);
  });
});

describe('making an organisation', () => {
  test('makes its first account with a temporary password that leads it', async () => {
    const installer = await add('installer', demoOrganisationId('agent'));
    const account = await portal.server.stores.db
      .selectFrom('accounts')
      .selectAll()
      .where('username', '=', installer.user)
      .executeTakeFirstOrThrow();
    expect(account).toMatchObject({ level: 2, leads: true, password_temporary: true, organisation_id: installer.id });
    expect(installer.password).toMatch(/^[A-HJ-NP-Za-km-z2-9]{12}$/);
    const row = await rowOf(installer.id);
    expect(row).toMatchObject({ parent: 'Sonnenwarte Demo Agentur', accounts: 1, number: installer.number });
    expect(row.signUpCode).toMatch(/^[A-Z2-9]{10}$/);
    const audit = await lastAudit('organisations.add');
    expect(audit).toMatchObject({ actor: 'admin', record_name: installer.name });
    expect(JSON.stringify(audit)).not.toContain(installer.password);
  });

  test.each([
    ['a distributor under an agent', 'distributor', () => demoOrganisationId('agent')],
    ['an agent under an installer', 'agent', () => demoOrganisationId('installer')],
    ['an installer under an installer', 'installer', () => demoOrganisationId('installer')],
  ] as const)('refuses %s', async (_, kind, parent) => {
    const answer = await portal.call(
      calls.add,
      {
        kind,
        parentID: parent(),
        name: 'Wrong',
        country: '',
        email: '',
        phone: '',
        note: '',
        user: 'wrongplace',
        accountEmail: 'wrong@example.com',
        accountName: '',
      },
      as(admin),
    );
    expect(answer).toMatchObject({ errno: errno.wrongParent });
  });

  test('names the field whose value somebody has, and leaves no organisation behind', async () => {
    const before = (await portal.call(calls.list, {}, as(admin))).result.total;
    const answer = await portal.call(
      calls.add,
      {
        kind: 'distributor',
        parentID: platform,
        name: 'Twice',
        country: '',
        email: '',
        phone: '',
        note: '',
        user: 'INSTALLER',
        accountEmail: 'Agent@demo.sonnenwarte.example',
        accountName: '',
      },
      as(admin),
    );
    expect(answer).toMatchObject({
      errno: errno.refusedInput,
      result: { fields: [{ path: 'user', reason: 'taken' }] },
    });
    expect((await portal.call(calls.list, {}, as(admin))).result.total).toBe(before);
  });

  test('takes no field that is not its own', async () => {
    const parentID = platform;
    const token = admin;
    const input = {
      kind: 'agent' as const,
      parentID,
      name: 'Mass',
      country: '',
      email: '',
      phone: '',
      note: '',
      user: 'massagent',
      accountEmail: 'mass@example.com',
      accountName: '',
      level: 255,
      leads: false,
      path: [],
      sign_up_code: 'AAAAAAAAAA',
    };
    const { result } = await portal.call(calls.add, input, { token });
    const account = await portal.server.stores.db
      .selectFrom('accounts')
      .select(['level', 'leads'])
      .where('username', '=', result.user)
      .executeTakeFirstOrThrow();
    expect(account).toEqual({ level: 3, leads: true });
    expect((await rowOf(result.id)).signUpCode).not.toBe('AAAAAAAAAA');
  });
});

describe('changing an organisation', () => {
  test('keeps the fields that changed in the log, before and after', async () => {
    const { id, name } = await add('agent', platform);
    const fields = { name: 'Renamed', country: 'DE', email: 'office@example.com', phone: '', note: '' };
    expect(await portal.call(calls.edit, { id, ...fields }, as(admin))).toMatchObject({ errno: 0 });
    expect(await rowOf(id)).toMatchObject(fields);
    expect(await lastAudit('organisations.edit')).toMatchObject({
      before: { name, email: '' },
      after: { name: 'Renamed', email: 'office@example.com' },
    });
  });

  test('a new sign-up code replaces the old one', async () => {
    const { id } = await add('installer', platform);
    const before = (await rowOf(id)).signUpCode;
    const { result } = await portal.call(calls.renewSignUpCode, { id }, as(admin));
    expect(result.signUpCode).not.toBe(before);
    expect((await rowOf(id)).signUpCode).toBe(result.signUpCode);
    expect(result.signUpCode).toMatch(/^[2-9A-HJ-NP-Z]{10}$/);
    const entry = await portal.server.stores.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('action', '=', 'organisations.renewSignUpCode')
      .where('record_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(entry).toEqual({
      before: { signUpCode: `…${before.slice(-3)}` },
      after: { signUpCode: `…${result.signUpCode.slice(-3)}` },
    });
  });

  test('moving an agent moves what everybody above the old and the new place sees', async () => {
    const distributor = await portal.sessionOf('distributor');
    const plants = async (token: string) =>
      (await portal.call(fleetEndpoints.summary, {}, as(token))).result.plants.total;
    const before = await plants(distributor);
    const id = demoOrganisationId('agent-2');
    const there = { id, parentID: demoOrganisationId('distributor-2') };
    expect(await portal.call(calls.move, there, as(admin))).toMatchObject({ errno: 0 });
    expect(await plants(distributor)).toBe(before - 2);
    expect(await rowOf(demoOrganisationId('distributor-2'))).toMatchObject({ organisations: 2, sites: 4 });
    const back = { id, parentID: demoOrganisationId('distributor') };
    expect(await portal.call(calls.move, back, as(admin))).toMatchObject({ errno: 0 });
    expect(await plants(distributor)).toBe(before);
  });

  test('refuses to hang an agent under an installer', async () => {
    const input = { id: demoOrganisationId('agent'), parentID: demoOrganisationId('installer') };
    expect(await portal.call(calls.move, input, as(admin))).toMatchObject({ errno: errno.wrongParent });
  });

  test('disabling signs out its own accounts, but neither those below it nor the owners of plants', async () => {
    const id = demoOrganisationId('installer');
    const [installer, owner] = [await portal.sessionOf('installer'), await portal.sessionOf('owner')];
    expect(await portal.call(calls.setEnabled, { id, enabled: false }, as(admin))).toMatchObject({ errno: 0 });
    expect(await portal.call(accountEndpoints.info, {}, as(installer))).toMatchObject({ errno: errno.sessionEnded });
    expect(await portal.call(accountEndpoints.info, {}, as(owner))).toMatchObject({ errno: 0 });
    expect(await rowOf(id)).toMatchObject({ state: 'disabled' });
    expect(await portal.call(calls.setEnabled, { id, enabled: true }, as(admin))).toMatchObject({ errno: 0 });
    const again = await portal.sessionOf('installer');
    expect(await portal.call(accountEndpoints.info, {}, as(again))).toMatchObject({ errno: 0 });
  });
});

describe('access', () => {
  test.each(['detail', 'edit', 'move', 'setEnabled', 'renewSignUpCode', 'deletionPreview', 'remove'] as const)(
    '%s answers a deleted organisation like one that never was',
    async (call) => {
      const { id } = await add('agent', platform);
      expect(await portal.call(calls.remove, { id }, as(admin))).toMatchObject({ errno: 0 });
      const input = {
        parentID: platform,
        enabled: false,
        name: 'X',
        country: '',
        email: '',
        phone: '',
        note: '',
      };
      const deleted = await portal.call(calls[call], { ...input, id } as never, as(admin));
      expect(deleted).toEqual(await portal.call(calls[call], { ...input, id: missing } as never, as(admin)));
      expect(deleted.errno).toBe(errno.organisationNotFound);
    },
  );

  test('an administrator without the code is refused', async () => {
    const { db } = portal.server.stores;
    await db
      .insertInto('accounts')
      .values({
        organisation_id: platform,
        username: 'narrow',
        email: 'narrow@example.com',
        password_hash: '',
        level: 255,
        leads: false,
      })
      .execute();
    const narrow = await portal.sessionOf('narrow');
    expect(await portal.call(calls.list, {}, as(narrow))).toMatchObject({ errno: errno.noPermission });
  });

  test('the platform itself can neither be disabled, moved nor deleted', async () => {
    const token = admin;
    expect(await portal.call(calls.setEnabled, { id: platform, enabled: false }, { token })).toMatchObject({
      errno: errno.noPermission,
    });
    expect(await portal.call(calls.remove, { id: platform }, { token })).toMatchObject({
      errno: errno.organisationNotEmpty,
    });
    expect(
      await portal.call(calls.move, { id: platform, parentID: demoOrganisationId('agent') }, { token }),
    ).toMatchObject({ errno: errno.wrongParent });
    expect((await portal.call(siteEndpoints.list, {}, { token })).result.total).toBe(12);
  });
});
