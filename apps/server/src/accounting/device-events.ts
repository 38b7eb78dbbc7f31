import type { LedgerEvent } from '@sonnenwarte/energy/accounting/buckets';
import { type Kysely, sql } from 'kysely';
import type { DeviceEntry } from '../ingestion/registry/plant-model.ts';
import { entryOf } from '../ingestion/samples/entry-of.ts';
import type { Database } from '../stores/schema.ts';

/** Times at which counters of devices started anew or were joined again within a span, by `devices.key`, ascending. */
export async function readJoints(
  db: Kysely<Database>,
  devices: readonly DeviceEntry[],
  fromMs: number,
  toMs: number,
): Promise<Map<number, number[]>> {
  const keys = new Map(devices.map(({ id, key }) => [id, key]));
  const rows = await db
    .selectFrom('device_events')
    .select(['device_id', 'ts'])
    .where('device_id', 'in', [...keys.keys()])
    .where('kind', 'in', ['counter-reset', 'counter-replaced'])
    .where('ts', '>=', new Date(fromMs))
    .where('ts', '<=', new Date(toMs))
    .orderBy('ts')
    .execute();
  const joints = new Map<number, number[]>();
  for (const { device_id, ts } of rows) entryOf(joints, keys.get(device_id) ?? 0, () => []).push(ts.getTime());
  return joints;
}

/** Notes the joints of counters (reset, replaced, wrap), each once however often its time is accounted. */
export async function writeDeviceEvents(
  db: Kysely<Database>,
  events: readonly (readonly [DeviceEntry, LedgerEvent])[],
): Promise<void> {
  const rows = events
    .filter(
      ([device, { event }]) => device.id !== '' && (event === 'reset' || event === 'replaced' || event === 'wrap'),
    )
    .map(([device, { tsMs, channel, event, energyWh, epoch, neededW }]) => ({
      device_id: device.id,
      ts: new Date(tsMs).toISOString(),
      kind: `counter-${event}`,
      detail: { channel, energyWh, epoch, neededW },
    }));
  if (rows.length === 0) return;
  await sql`
    insert into device_events (device_id, ts, kind, detail)
    select r.device_id, r.ts, r.kind, r.detail
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (device_id uuid, ts timestamptz, kind text, detail jsonb)
    where not exists (select 1 from device_events e
      where e.device_id = r.device_id and e.ts = r.ts and e.kind = r.kind
        and e.detail ->> 'channel' = r.detail ->> 'channel')`.execute(db);
}
