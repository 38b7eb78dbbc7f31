import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Kysely } from 'kysely';
import { platformOrganisation } from '../accounts/accounts.store.ts';
import { hashPassword, md5Hex } from '../accounts/passwords.ts';
import type { Database } from '../stores/schema.ts';
import type { DemoFleet, DemoPlant } from './demo-fleet.ts';
import { seedFactory } from './factory.ts';
import { seedMembers } from './people.ts';
import { readRackFacts } from './rack.ts';
import { seedQuarantine, seedSpareDataloggers } from './spare-dataloggers.ts';
import {
  DEMO_PASSWORD,
  demoAccounts,
  demoOrganisationId,
  demoOrganisations,
  integratorInverters,
  isOwnersPlant,
  organisationOfPlant,
} from './tenancy.ts';

type Db = Kysely<Database>;

/** Passwords of the demo's dataloggers by serial number, kept in a file that only this user reads. */
export function demoCredentials(file: string, fleet: DemoFleet): Record<string, string> {
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
  const plants = [...fleet.plants, ...fleet.spares];
  const sns = [...plants.flatMap((plant) => plant.loggers.map((datalogger) => datalogger.sn)), readRackFacts().sn];
  if (sns.every((sn) => sn in known)) return known;
  const credentials = Object.fromEntries(sns.map((sn) => [sn, known[sn] ?? randomBytes(16).toString('hex')]));
  writeFileSync(`${file}.new`, JSON.stringify(credentials), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return credentials;
}

/** Makes the demo's organisations, accounts, plants and devices once, all or nothing; later starts renew the passwords of its loggers. */
export async function seedDemo(db: Db, fleet: DemoFleet, credentials: Readonly<Record<string, string>>): Promise<void> {
  const seeded = await db.selectFrom('accounts').select('id').where('demo', '=', true).limit(1).executeTakeFirst();
  if (!seeded) {
    const passwordHash = await hashPassword(md5Hex(DEMO_PASSWORD));
    await db.transaction().execute(async (tx) => {
      const accountIds = await seedAccounts(tx, passwordHash);
      await seedMembers(tx, passwordHash);
      for (const [index, plant] of fleet.plants.entries()) await seedPlant(tx, plant, index, accountIds);
      await grantInverters(tx, accountIds.get('integrator') ?? '');
      await seedSpareDataloggers(tx);
      await seedFactory(tx, fleet, Date.now());
    });
  }
  await seedQuarantine(db);
  for (const [sn, password] of Object.entries(credentials)) {
    await db
      .updateTable('loggers')
      .set({ token_hash: createHash('sha256').update(password).digest() })
      .where('sn', '=', sn)
      .execute();
  }
}

async function seedAccounts(db: Db, passwordHash: string): Promise<Map<string, string>> {
  const platform = await platformOrganisation(db);
  const paths = new Map<string, string[]>();
  for (const { key, parent, kind, name } of demoOrganisations) {
    const id = demoOrganisationId(key);
    const path = [...((parent && paths.get(parent)) ?? [platform]), id];
    paths.set(key, path);
    await db
      .insertInto('organisations')
      .values({
        id,
        parent_id: parent ? demoOrganisationId(parent) : platform,
        kind,
        name,
        country: 'DE',
        email: `${key}@demo.example`,
        phone: `+49 30 55500${String(paths.size).padStart(2, '0')}`,
        path,
        disabled_at: null,
        deleted_at: null,
      })
      .execute();
  }
  const rows = await db
    .insertInto('accounts')
    .values(
      demoAccounts.map(({ user, level, organisation }) => ({
        organisation_id: organisation === 'platform' ? platform : demoOrganisationId(organisation),
        username: user,
        email: `${user}@demo.sonnenwarte.example`,
        password_hash: passwordHash,
        level,
        name: user.charAt(0).toUpperCase() + user.slice(1),
        country: 'DE',
        language: null,
        demo: true,
        leads: level !== 1,
        // The demonstration's visitors are not asked for their habits.
        keys_guarded: true,
        disabled_at: null,
        deleted_at: null,
      })),
    )
    .returning(['id', 'username'])
    .execute();
  return new Map(rows.map(({ username, id }) => [username, id]));
}

async function seedPlant(
  db: Db,
  plant: DemoPlant,
  index: number,
  accountIds: ReadonlyMap<string, string>,
): Promise<void> {
  const organisationID = demoOrganisationId(organisationOfPlant(index));
  const { id: siteId } = await db
    .insertInto('sites')
    .values({
      organisation_id: organisationID,
      owner_account_id: isOwnersPlant(index) ? (accountIds.get('owner') ?? null) : null,
      name: plant.name,
      type: plant.type,
      country: plant.country,
      city: plant.city,
      address: plant.address,
      postcode: plant.postcode,
      latitude: plant.latitude,
      longitude: plant.longitude,
      altitude_m: plant.altitudeM,
      time_zone: plant.timeZone,
      system_size_kwp: plant.systemSizeKwp,
      rated_power_w: plant.ratedPowerW,
      feed_in_price: plant.feedInPrice,
      purchase_price: plant.purchasePrice,
      currency: plant.currency,
      commissioned_on: plant.commissionedOn,
      grid_connected_on: plant.gridConnectedOn,
      arrays: JSON.stringify(plant.arrays),
      demo: true,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const datalogger of plant.loggers) {
    const { id: dataloggerId } = await db
      .insertInto('loggers')
      .values({
        sn: datalogger.sn,
        site_id: siteId,
        organisation_id: organisationID,
        token_hash: null,
        type: datalogger.type,
        model: datalogger.model,
        firmware: datalogger.firmware,
        rssi_dbm: null,
        born_at: null,
        last_seen_at: null,
        revoked_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('devices')
      .values(
        datalogger.devices.map((device) => ({
          sn: device.sn,
          logger_id: dataloggerId,
          site_id: siteId,
          kind: device.kind,
          // Only a meter's role is an electrical one; inverters in parallel carry theirs in their points.
          role: device.kind === 'meter' ? (device.role ?? '') : '',
          model: device.model,
          odm_sn: device.odmSn,
          hardware: device.hardware,
          rated_power_w: device.ratedPowerW ?? null,
          capacity_wh: device.capacityWh ?? null,
          version_master: device.versions.master,
          version_slave: device.versions.slave,
          version_manager: device.versions.manager,
          version_afci: device.versions.afci,
          last_seen_at: null,
          deleted_at: null,
        })),
      )
      .execute();
  }
}

async function grantInverters(db: Db, accountId: string): Promise<void> {
  const inverters = await db
    .selectFrom('devices')
    .select('id')
    .where('sn', 'in', [...integratorInverters])
    .execute();
  await db
    .insertInto('device_grants')
    .values(inverters.map(({ id }) => ({ account_id: accountId, device_id: id })))
    .execute();
}
