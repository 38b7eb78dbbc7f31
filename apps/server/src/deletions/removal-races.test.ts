import { deletionEndpoints } from '@sonnenwarte/contract/deletions/deletions';
import { errno } from '@sonnenwarte/contract/errors';
import { memberEndpoints } from '@sonnenwarte/contract/members/members';
import { organisationEndpoints } from '@sonnenwarte/contract/organisations/organisations';
import { userManagementEndpoints } from '@sonnenwarte/contract/user-management/user-management';
import { sql, type Transaction } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { demoOrganisationId } from '../demo/tenancy.ts';
import type { Database } from '../stores/schema.ts';
import { newMember } from '../testing/people.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { callInto, changedDuring } from '../testing/row-locks.ts';

let portal: TestPortal;
let admin: string;
beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.sessionOf('admin');
});
afterAll(() => portal?.stop());
afterEach(async () => {
  for (const { id } of (await portal.call(deletionEndpoints.list, {}, { token: admin })).result.deletions) {
    expect(await portal.call(deletionEndpoints.undo, { id }, { token: admin })).toMatchObject({ errno: 0 });
  }
});

const db = () => portal.server.stores.db;
const installer = demoOrganisationId('installer');
const elsewhere = demoOrganisationId('installer-2');

const plantOf = (organisationID: string) =>
  db()
    .selectFrom('sites')
    .select('id')
    .where('organisation_id', '=', organisationID)
    .orderBy('id')
    .executeTakeFirstOrThrow();
const plant = (id: string) =>
  db().selectFrom('sites').select(['organisation_id', 'deleted_at']).where('id', '=', id).executeTakeFirstOrThrow();
const accountRow = (user: string) =>
  db().selectFrom('accounts').select(['id', 'organisation_id']).where('username', '=', user).executeTakeFirstOrThrow();
const platform = async () => (await accountRow('admin')).organisation_id;
const moved = (id: string) => (tx: Transaction<Database>) =>
  sql`update sites set organisation_id = ${elsewhere} where id = ${id}`.execute(tx);

describe('a plant that moves to another installer while its own is removed', () => {
  test('is not deleted with the organisation that it left', async () => {
    const { id } = await plantOf(installer);
    const removed = await changedDuring(db(), moved(id), () =>
      portal.call(organisationEndpoints.remove, { id: installer }, { token: admin }),
    );
    expect(removed.errno).toBe(0);
    expect(await plant(id)).toEqual({ organisation_id: elsewhere, deleted_at: null });
  });

  test('is not taken along by the account that led the organisation', async () => {
    const { id } = await plantOf(installer);
    const lead = await accountRow('installer');
    const removed = await changedDuring(db(), moved(id), () =>
      portal.call(userManagementEndpoints.remove, { id: lead.id }, { token: admin }),
    );
    expect(removed.errno).toBe(0);
    expect(await plant(id)).toEqual({ organisation_id: elsewhere, deleted_at: null });
  });

  test('changes what was shown before the deletion, which is then refused', async () => {
    const { id } = await plantOf(installer);
    const { result } = await portal.call(organisationEndpoints.deletionPreview, { id: installer }, { token: admin });
    const { sites, endUsers, movedSites } = result;
    const refused = await changedDuring(db(), moved(id), () =>
      portal.call(
        organisationEndpoints.remove,
        { id: installer, expected: { sites, endUsers, movedSites } },
        { token: admin },
      ),
    );
    expect(refused.errno).toBe(errno.consequencesChanged);
    expect(await plant(id)).toEqual({ organisation_id: elsewhere, deleted_at: null });
  });
});

describe('removals at the same time as moves', () => {
  test('an agent moves while one of its installers is deleted: both are done', async () => {
    const agent = demoOrganisationId('agent');
    const { result } = await portal.call(
      organisationEndpoints.add,
      {
        kind: 'distributor',
        parentID: await platform(),
        ...{ name: 'Elsewhere', country: 'DE', email: '', phone: '', note: '' },
        ...{ user: 'elsewhere', accountEmail: 'elsewhere@example.com', accountName: '' },
      },
      { token: admin },
    );
    // The deletion has its organisation and waits for an end user, whom it then puts under the agent.
    const { answers } = await db()
      .transaction()
      .execute(async (tx) => {
        await sql`select id from accounts where username = 'owner' for update`.execute(tx);
        const removal = await callInto(db(), () =>
          portal.call(organisationEndpoints.remove, { id: installer }, { token: admin }),
        );
        const move = await callInto(db(), () =>
          portal.call(organisationEndpoints.move, { id: agent, parentID: result.id }, { token: admin }),
        );
        return { answers: Promise.all([removal.answer, move.answer]) };
      });
    expect((await answers).map((answer) => answer.errno)).toEqual([0, 0]);
    const organisation = (id: string) =>
      db().selectFrom('organisations').select(['deleted_at', 'path']).where('id', '=', id).executeTakeFirstOrThrow();
    expect(await organisation(installer)).toEqual({
      deleted_at: expect.any(Date),
      path: [await platform(), result.id, agent, installer],
    });
  });

  test('an account that leads and its organisation are deleted at once: one of them comes first, the other finds nothing', async () => {
    const lead = await accountRow('installer');
    // One will hold the organisation and ask for the account, the other holds that and asks for the organisation.
    const { answers } = await db()
      .transaction()
      .execute(async (tx) => {
        await sql`select id from organisations where id = ${installer} for update`.execute(tx);
        const ofOrganisation = await callInto(db(), () =>
          portal.call(organisationEndpoints.remove, { id: installer }, { token: admin }),
        );
        const ofAccount = await callInto(db(), () =>
          portal.call(userManagementEndpoints.remove, { id: lead.id }, { token: admin }),
        );
        return { answers: Promise.all([ofOrganisation.answer, ofAccount.answer]) };
      });
    const [ofOrganisation, ofAccount] = (await answers).map((answer) => answer.errno);
    expect([
      [0, errno.accountNotFound],
      [errno.organisationNotFound, 0],
    ]).toContainEqual([ofOrganisation, ofAccount]);
  });
});

describe('a deleted member', () => {
  test('does not return into an organisation that is being deleted', async () => {
    const { accountID } = await newMember(portal);
    await portal.call(memberEndpoints.remove, { accountID }, { token: admin });
    const { id } = (await portal.call(deletionEndpoints.list, {}, { token: admin })).result.deletions[0] ?? { id: '' };
    // The deletion has listed whom it takes along and waits for one of them while the member is brought back.
    const { answers } = await db()
      .transaction()
      .execute(async (tx) => {
        await sql`select id from accounts where username = 'owner' for update`.execute(tx);
        const removal = await callInto(db(), () =>
          portal.call(organisationEndpoints.remove, { id: installer }, { token: admin }),
        );
        const undo = await callInto(db(), () => portal.call(deletionEndpoints.undo, { id }, { token: admin }));
        return { answers: Promise.all([removal.answer, undo.answer]) };
      });
    expect((await answers).map((answer) => answer.errno)).toEqual([0, errno.placeGone]);
    const member = await db().selectFrom('accounts').select('deleted_at').where('id', '=', accountID).execute();
    expect(member).toEqual([{ deleted_at: expect.any(Date) }]);
  });
});
