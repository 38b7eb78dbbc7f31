import type { LedgerEvent } from '@sonnenwarte/energy/buckets';
import { type Kysely, sql } from 'kysely';
import type { DeviceEntry } from '../ingestion/plant-model.ts';
import type { Database } from '../stores/schema.ts';

/** Notes the joints of counters (reset, replaced, wrap), each once however often its time is accounted. */
export async function writeDeviceEvents(
  db: Kysely<Database>,
  events: readonly (readonly [DeviceEntry, LedgerEvent])[],
): Promise<void> {
  const rows = events
    .filter(
      ([device, { event }]) => device.id !== '' && (event === 'reset' || event === 'replaced' || event === 'wrap'),
    )
    .map(([device, { tsMs, channel, event, energyWh, epoch }]) => ({
      device_id: device.id,
      ts: new Date(tsMs).toISOString(),
      kind: `counter-${event}`,
      detail: { channel, energyWh, epoch },
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
