import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errno } from '@sonnenwarte/contract/errors';
import { handoverEndpoints as calls } from '@sonnenwarte/contract/handover/handover';
import { signUpEndpoints } from '@sonnenwarte/contract/sign-up/sign-up';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { demoOrganisationId } from '../demo/tenancy.ts';
import { startTestPortal, type TestPortal } from './portal.ts';

export const unknownCode = 'AAAA-BBBB-CCCC';
export const refusedCode = (reason: string) => ({
  errno: errno.refusedInput,
  result: { fields: [{ path: 'code', reason }] },
});

/** The portal of the demonstration, whose installer hands plants over. */
export function ownHandover() {
  let dataDir = '';
  let portal: TestPortal;
  let installer = '';
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'sonnenwarte-handover-'));
    portal = await startTestPortal({ TRUSTED_PROXIES: '127.0.0.1', DATA_DIR: dataDir });
    installer = await portal.sessionOf('installer');
  });
  afterAll(async () => {
    await portal?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await db().deleteFrom('attempts').execute();
  });

  const db = () => portal.server.stores.db;
  let made = 0;

  /** A plant of the demo's installer that nobody owns. */
  async function finishedPlant(): Promise<string> {
    made += 1;
    const { id } = await db()
      .insertInto('sites')
      .values({
        organisation_id: demoOrganisationId('installer'),
        owner_account_id: null,
        name: `Haus ${made}`,
        country: 'DE',
        city: 'Freising',
        latitude: null,
        longitude: null,
        altitude_m: null,
        time_zone: 'Europe/Berlin',
        system_size_kwp: 12,
        rated_power_w: null,
        feed_in_price: null,
        purchase_price: null,
        commissioned_on: null,
        grid_connected_on: null,
        arrays: '[]',
        deleted_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  const newUser = () => {
    made += 1;
    return `customer-${made}`;
  };

  const entered = (user: string, code: string) => ({
    role: 'endUser' as const,
    user,
    password: 'sun-and-wind',
    email: `${user}@example.com`,
    country: 'DE',
    termsAccepted: true as const,
    code,
  });

  const signUp = (user: string, code: string, address = '192.0.2.1') =>
    portal.call(signUpEndpoints.signUp, entered(user, code), { lang: 'pl', headers: { 'x-forwarded-for': address } });
  /** Somebody who has an account and no plant. */
  async function customer(): Promise<{ user: string; token: string }> {
    const user = newUser();
    expect((await signUp(user, '')).errno).toBe(0);
    return { user, token: await portal.sessionOf(user) };
  }

  const make = (stationID: string, input: { replacesOwner?: boolean } = {}, token = installer) =>
    portal.call(calls.make, { stationID, ...input }, { token });
  const codeOf = async (stationID: string): Promise<string> => {
    const { errno: number, result } = await make(stationID);
    expect(number).toBe(0);
    return result.code;
  };

  const take = (token: string, code: string) => portal.call(calls.take, { code }, { token });
  const stateOf = async (stationID: string) =>
    (await portal.call(calls.state, { stationID }, { token: installer })).result;
  const look = (code: string) => portal.call(signUpEndpoints.signUpInvitation, { code });
  const plantsOf = async (token: string) =>
    (await portal.call(siteEndpoints.list, { pageSize: 50 }, { token })).result.plants.map(
      ({ stationID }) => stationID,
    );
  const ownerOf = async (stationID: string) =>
    (
      await db()
        .selectFrom('sites')
        .leftJoin('accounts', 'accounts.id', 'owner_account_id')
        .select('username')
        .where('sites.id', '=', stationID)
        .executeTakeFirstOrThrow()
    ).username;

  return {
    get portal() {
      return portal;
    },
    get installer() {
      return installer;
    },
    get dataDir() {
      return dataDir;
    },
    db,
    finishedPlant,
    newUser,
    entered,
    signUp,
    customer,
    make,
    codeOf,
    take,
    stateOf,
    look,
    plantsOf,
    ownerOf,
  };
}
