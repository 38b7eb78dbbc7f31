import { memberEndpoints } from '@sonnenwarte/contract/members/members';
import { permissionGroupEndpoints } from '@sonnenwarte/contract/permission-groups/permission-groups';
import type { PermissionCode } from '@sonnenwarte/contract/permissions';
import { demoOrganisationId } from '../demo/tenancy.ts';
import type { TestPortal } from './portal.ts';

let made = 0;

/** A permission group of the demo's installer, or of another organisation. */
export async function newGroup(
  portal: TestPortal,
  codes: readonly PermissionCode[],
  place: { organisationID?: string; departmentID?: string } = {},
): Promise<string> {
  const { organisationID = demoOrganisationId('installer'), departmentID } = place;
  const { result } = await portal.call(
    permissionGroupEndpoints.add,
    {
      organisationID,
      name: `Group ${++made}`,
      type: departmentID === undefined ? 'role' : 'department',
      departmentID: departmentID ?? null,
      codes: [...codes],
    },
    { token: await portal.sessionOf('admin') },
  );
  return result.permissionGroupID;
}

export const platformId = async ({ server }: TestPortal): Promise<string> =>
  (
    await server.stores.db
      .selectFrom('organisations')
      .select('id')
      .where('kind', '=', 'platform')
      .executeTakeFirstOrThrow()
  ).id;

/** A session of a new administrator who holds exactly some codes, as if the password had been changed. */
export async function narrowAdministrator(
  portal: TestPortal,
  codes: readonly PermissionCode[],
): Promise<NewMember & { token: string }> {
  const organisationID = await platformId(portal);
  const groupIDs = codes.length === 0 ? [] : [await newGroup(portal, codes, { organisationID })];
  const member = await newMember(portal, { organisationID, groupIDs });
  await portal.server.stores.db
    .updateTable('accounts')
    .set({ password_temporary: false })
    .where('id', '=', member.accountID)
    .execute();
  return { ...member, token: await portal.sessionOf(member.account) };
}

export interface NewMember {
  account: string;
  accountID: string;
  temporaryPassword: string;
}

/** A member of the demo's installer, or of another organisation. */
export async function newMember(
  portal: TestPortal,
  place: { organisationID?: string; departmentID?: string; groupIDs?: string[]; level?: 2 | 3 | 4 | 255 } = {},
): Promise<NewMember> {
  const account = `member-${++made}`;
  const { result } = await portal.call(
    memberEndpoints.add,
    { organisationID: demoOrganisationId('installer'), account, email: `${account}@example.com`, ...place },
    { token: await portal.sessionOf('admin') },
  );
  return { account, ...result };
}
