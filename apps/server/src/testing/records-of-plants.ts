import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { RecordPlaces, Whose } from './record-places.ts';

export async function pileRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  const sn = `PILE-${randomUUID().slice(0, 8)}`;
  const { logger_id } = await at.db
    .selectFrom('devices')
    .select('logger_id')
    .where('site_id', '=', at.site(user, whose))
    .executeTakeFirstOrThrow();
  const { id } = await at.db
    .insertInto('devices')
    .values({
      sn,
      logger_id,
      site_id: at.site(user, whose),
      kind: 'pile',
      rated_power_w: 11_000,
      capacity_wh: null,
      last_seen_at: null,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await at.db
    .insertInto('charge_points')
    .values({
      device_id: id,
      identity: sn,
      secret_hash: randomBytes(32),
      name: sn,
      phases: 'three',
      most_current_a: 16,
    })
    .execute();
  return id;
}

/** A fresh one: a call may take it off its plant or delete it. */
export function dataloggerRecord(at: RecordPlaces, user: string, whose: Whose): Promise<{ id: string; sn: string }> {
  return at.db
    .insertInto('loggers')
    .values({
      sn: String(8e14 + randomInt(1e14)),
      site_id: at.site(user, whose),
      rssi_dbm: null,
      born_at: null,
      last_seen_at: null,
      revoked_at: null,
      token_hash: null,
      organisation_id: null,
    })
    .returning(['id', 'sn'])
    .executeTakeFirstOrThrow();
}

/** The platform sees every claim: beyond its sight is what does not exist. */
export async function claimRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  if (at.hides(user, whose)) return randomUUID();
  const holder = await at.device(user === 'integrator' ? 'owner' : user, whose);
  const { logger_id } = await at.db
    .selectFrom('devices')
    .select('logger_id')
    .where('site_id', '=', at.sites.at(-1) ?? '')
    .executeTakeFirstOrThrow();
  const sn = `made-${randomBytes(5).toString('hex')}`;
  const claimant = await at.db
    .insertInto('devices')
    .values({ sn: `${sn}@claim`, told_sn: sn, logger_id, kind: 'inverter', deleted_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await at.db
    .insertInto('device_claims')
    .values({ sn, holder_id: holder.id, claimant_id: claimant.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function shareRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  const { id } = await at.db
    .insertInto('site_shares')
    .values({
      site_id: at.site(user, whose),
      account_id: await at.account(at.platform, { level: 1, deleted: false }),
      named_as: 'made',
      given_by: null,
      ended_at: null,
      ended_by_change: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function presetRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  const { id } = await at.db
    .insertInto('setting_presets')
    .values({
      organisation_id: await at.ownOrganisation(user, whose),
      kind: 'inverter',
      name: randomBytes(5).toString('hex'),
      content: '{"Setting/ActivePowerLimit":70}',
      made_by: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function groupRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  const { id } = await at.db
    .insertInto('setting_groups')
    .values({
      organisation_id: await at.ownOrganisation(user, whose),
      kind: 'inverter',
      name: 'Made',
      content: '{"Setting/ActivePowerLimit":70}',
      reverts: null,
      stop_after: 3,
      ordered_by: await at.accountId(user),
      done_at: null,
      state: 'paused',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** An incident of a device that is seen by whom it is to be seen. */
export async function incidentRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  const device = await at.device(user, whose);
  const now = new Date();
  const { id } = await at.db
    .insertInto('incidents')
    .values({
      code: 2006,
      level: 2,
      subject: randomUUID(),
      site_id: at.site(user, whose),
      device_id: device.id,
      logger_id: null,
      organisation_id: null,
      cause_id: null,
      cause_organisation_id: null,
      since: now,
      until: null,
      last_since: now,
      acknowledged_at: null,
      muted_until: null,
      assignee_id: null,
      closed_at: null,
      own_wh: null,
      lost_wh: null,
      reckoned_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
