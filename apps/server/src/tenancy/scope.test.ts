import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import { deletionEndpoints } from '@sonnenwarte/contract/deletions/deletions';
import { errno } from '@sonnenwarte/contract/errors';
import { isLevel, type Level } from '@sonnenwarte/contract/levels';
import { organisationEndpoints } from '@sonnenwarte/contract/organisations/organisations';
import { userManagementEndpoints } from '@sonnenwarte/contract/user-management/user-management';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scopeOf } from '../access/scope.ts';
import { visibleSites } from '../sites/sites.store.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import {
  type Kind,
  type ModelAccount,
  type ModelOrganisation,
  type ModelSite,
  TenancyModel,
} from '../testing/tenancy-model.ts';
import { casesOf } from '../testing/thoroughness.ts';
import { moveSites } from './moves.ts';

const RUNS = casesOf(12, 30);
const COMMANDS = 15;

let portal: TestPortal;
let admin: string;
let platform: string;
beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.sessionOf('admin');
  const row = await db()
    .selectFrom('organisations')
    .select('id')
    .where('kind', '=', 'platform')
    .executeTakeFirstOrThrow();
  platform = row.id;
});
afterAll(() => portal?.stop());

const db = () => portal.server.stores.db;

const tree: readonly [name: string, kind: Kind, parent: string][] = [
  ['D1', 'distributor', 'P'],
  ['D2', 'distributor', 'P'],
  ['A1', 'agent', 'D1'],
  ['A2', 'agent', 'D1'],
  ['A3', 'agent', 'D2'],
  ['I1', 'installer', 'A1'],
  ['I2', 'installer', 'A1'],
  ['I3', 'installer', 'A2'],
  ['I4', 'installer', 'A3'],
  ['I5', 'installer', 'D2'],
];
const owners: readonly [name: string, organisation: string][] = [
  ['U1', 'I1'],
  ['U2', 'I1'],
  ['U3', 'I3'],
  ['U4', 'I4'],
];
const plants: readonly [name: string, organisation: string, owner: string | null][] = [
  ['S1', 'I1', 'U1'],
  ['S2', 'I1', 'U2'],
  ['S3', 'I1', null],
  ['S4', 'I2', 'U1'],
  ['S5', 'I3', 'U3'],
  ['S6', 'I4', 'U4'],
  ['S7', 'I5', null],
  ['S8', 'A3', null],
];
const levelOf = { platform: 255, distributor: 4, agent: 3, installer: 2 } as const satisfies Record<Kind, Level>;
const organisationNames = tree.map(([name]) => name);
const ownerNames = owners.map(([name]) => name);
const accountNames = [...organisationNames.map((name) => `L${name}`), ...ownerNames];

/** A tree of its own for a run, in the database and in the model, whose ids are those of the database. */
async function makeWorld() {
  const ids = new Map<string, string>([['P', platform]]);
  const idOf = (name: string): string => {
    const id = ids.get(name) ?? crypto.randomUUID();
    ids.set(name, id);
    return id;
  };
  const none = { disabled_at: null, deleted_at: null };
  const paths = new Map([['P', [platform]]]);
  const organisations: Record<string, ModelOrganisation> = {
    [platform]: { kind: 'platform', parent: null, deleted: false, disabled: 0 },
  };
  const accounts: Record<string, ModelAccount> = {};
  const sites: Record<string, ModelSite> = {};
  for (const [name, kind, parent] of tree) {
    const path = [...(paths.get(parent) ?? []), idOf(name)];
    paths.set(name, path);
    organisations[idOf(name)] = { kind, parent: idOf(parent), deleted: false, disabled: 0 };
    await db()
      .insertInto('organisations')
      .values({ id: idOf(name), parent_id: idOf(parent), kind, name, path, ...none })
      .execute();
  }
  const people = [
    ...tree.map(([name, kind]) => ({
      name: `L${name}`,
      organisation: name,
      level: levelOf[kind] as number,
      leads: true,
    })),
    ...owners.map(([name, organisation]) => ({ name, organisation, level: 1, leads: false })),
  ];
  for (const { name, organisation, level, leads } of people) {
    accounts[idOf(name)] = { organisation: idOf(organisation), level, leads, deleted: false, disabled: 0 };
    await db()
      .insertInto('accounts')
      .values({
        id: idOf(name),
        organisation_id: idOf(organisation),
        username: idOf(name),
        email: `${idOf(name)}@example.com`,
        password_hash: '',
        level,
        leads,
      })
      .execute();
  }
  for (const [name, organisation, owner] of plants) {
    const ownerId = owner === null ? null : idOf(owner);
    sites[idOf(name)] = { organisation: idOf(organisation), owner: ownerId, deleted: false };
    await sql`insert into sites (id, organisation_id, owner_account_id, name, country, time_zone)
      values (${idOf(name)}, ${idOf(organisation)}, ${ownerId}, ${name}, 'DE', 'UTC')`.execute(db());
  }
  return { idOf, model: new TenancyModel({ organisations, accounts, sites }), deletions: [] as string[] };
}
type World = Awaited<ReturnType<typeof makeWorld>>;

const organisation = fc.constantFrom(...organisationNames);
const account = fc.constantFrom(...accountNames);
const owner = fc.constantFrom(...ownerNames);
const command = fc.oneof(
  fc.record({ do: fc.constant('move' as const), id: organisation, parent: fc.constantFrom('P', ...organisationNames) }),
  fc.record({ do: fc.constant('enableOrganisation' as const), id: organisation, enabled: fc.boolean() }),
  fc.record({ do: fc.constant('enableAccount' as const), id: account, enabled: fc.boolean() }),
  fc.record({ do: fc.constant('deleteOrganisation' as const), id: organisation }),
  fc.record({ do: fc.constant('deleteAccount' as const), id: account }),
  fc.record({
    do: fc.constant('moveEndUser' as const),
    id: account,
    target: fc.constantFrom('P', ...organisationNames),
  }),
  fc.record({ do: fc.constant('migrate' as const), id: owner, target: owner }),
  fc.record({ do: fc.constant('undo' as const), index: fc.nat({ max: 5 }) }),
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

const succeeded = (answer: { errno: number }): boolean => answer.errno === 0;

/** Does it in the portal and in the model; both must say alike whether it can be done. */
async function run(world: World, step: Command): Promise<void> {
  const { model, idOf, deletions } = world;
  const as = { token: admin };
  switch (step.do) {
    case 'move': {
      const [id, parentID] = [idOf(step.id), idOf(step.parent)];
      const done = await portal.call(organisationEndpoints.move, { id, parentID }, as);
      expect(succeeded(done)).toBe(model.move(id, parentID));
      return;
    }
    case 'enableOrganisation': {
      const input = { id: idOf(step.id), enabled: step.enabled };
      const done = await portal.call(organisationEndpoints.setEnabled, input, as);
      expect(succeeded(done)).toBe(model.setOrganisationEnabled(input.id, input.enabled));
      return;
    }
    case 'enableAccount': {
      const input = { id: idOf(step.id), enabled: step.enabled };
      const done = await portal.call(userManagementEndpoints.setEnabled, input, as);
      expect(succeeded(done)).toBe(model.setAccountEnabled(input.id, input.enabled));
      return;
    }
    case 'deleteOrganisation': {
      const done = await portal.call(organisationEndpoints.remove, { id: idOf(step.id) }, as);
      expect(succeeded(done)).toBe(model.deleteOrganisation(idOf(step.id)));
      if (succeeded(done)) deletions.push(done.result.deletionID);
      return;
    }
    case 'deleteAccount': {
      const done = await portal.call(userManagementEndpoints.remove, { id: idOf(step.id) }, as);
      expect(succeeded(done)).toBe(model.deleteAccount(idOf(step.id)));
      if (succeeded(done)) deletions.push(done.result.deletionID);
      return;
    }
    case 'moveEndUser': {
      const [id, organisationID] = [idOf(step.id), idOf(step.target)];
      const done = await portal.call(userManagementEndpoints.move, { id, organisationID }, as);
      expect(succeeded(done)).toBe(model.moveEndUser(id, organisationID));
      return;
    }
    case 'migrate': {
      const target = idOf(step.target);
      const siteIds = model.migrate(idOf(step.id), target);
      if (siteIds === undefined) return;
      const to = { organisationID: model.account(target).organisation, ownerAccountId: target };
      await db()
        .transaction()
        .execute((tx) => moveSites(tx, siteIds, to));
      return;
    }
    case 'undo': {
      const id = deletions[step.index];
      if (id === undefined) return;
      const done = await portal.call(deletionEndpoints.undo, { id }, as);
      expect(succeeded(done)).toBe(model.undo(step.index));
    }
  }
}

/** Sites of this run that an account's scope lets through. */
async function seenBy({ model }: World, accountId: string): Promise<string[]> {
  const { level, organisation_id } = await db()
    .selectFrom('accounts')
    .select(['level', 'organisation_id'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (!isLevel(level)) throw new Error(`no level: ${level}`);
  const scope = scopeOf({ accountId, level, organisationID: organisation_id });
  const rows = await db()
    .selectFrom('sites')
    .select('sites.id')
    .where(visibleSites(scope))
    .where('sites.id', 'in', Object.keys(model.world.sites))
    .execute();
  return rows.map(({ id }) => id).sort();
}

async function check(world: World): Promise<void> {
  const { model, idOf } = world;
  const present = accountNames.map(idOf).filter((id) => !model.account(id).deleted);
  const seen = await Promise.all(present.map((id) => seenBy(world, id)));
  expect(seen).toEqual(present.map((id) => model.visibleTo(id)));
  const adminId = (
    await db().selectFrom('accounts').select('id').where('username', '=', 'admin').executeTakeFirstOrThrow()
  ).id;
  const living = Object.entries(model.world.sites).filter(([, site]) => !site.deleted);
  expect(await seenBy(world, adminId)).toEqual(living.map(([id]) => id).sort());
  const placed = await db()
    .selectFrom('sites')
    .innerJoin('organisations', 'organisations.id', 'sites.organisation_id')
    .select(['sites.id', sql<string[]>`organisations.path::text[]`.as('path')])
    .where('sites.deleted_at', 'is', null)
    .where('organisations.deleted_at', 'is', null)
    .where('sites.id', 'in', Object.keys(model.world.sites))
    .execute();
  const path = new Map(placed.map((site) => [site.id, site.path]));
  for (const [id, site] of living) expect(path.get(id)).toEqual(model.pathUp(site.organisation).reverse());
}

test('no sequence of moves, disablings, deletions, migrations and undos shows anybody a foreign plant, or loses one', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: COMMANDS }), async (commands) => {
      const world = await makeWorld();
      for (const step of commands) {
        await run(world, step);
        await check(world);
      }
      const { model, idOf } = world;
      for (const name of accountNames) {
        const id = idOf(name);
        const token = await portal.sessionOf(id);
        const answer = await portal.call(accountEndpoints.accessLevel, {}, { token });
        expect(answer.errno).toBe(model.maySignIn(id) ? 0 : errno.sessionEnded);
      }
    }),
    { numRuns: RUNS, interruptAfterTimeLimit: 240_000 },
  );
});
