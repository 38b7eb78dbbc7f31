import { encodeFaultRecord } from '@sonnenwarte/device-protocol/fault-records/fault-record';
import type { RecordPlaces, Whose } from './record-places.ts';
import { recordOf } from './recorded-fault.ts';

/** A stored fault record of an inverter. */
export async function faultRecordRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  const device = await at.device(user, whose);
  const { count } = await at.db
    .selectFrom('fault_records')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  const record = recordOf({ index: Number(count) + 1 });
  const bytes = encodeFaultRecord(record);
  const { id } = await at.db
    .insertInto('fault_records')
    .values({
      device_id: device.id,
      record_index: record.index,
      occurred_at: new Date(record.timeMs),
      code: record.code,
      size: bytes.length,
      listed_at: new Date(),
      state: 'stored',
      stored_at: new Date(),
      content: Buffer.from(bytes),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
