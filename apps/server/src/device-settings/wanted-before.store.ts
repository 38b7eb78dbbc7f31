import { settingByName } from '@sonnenwarte/device-protocol/points/points';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';

/** A setting that a device has changed, as far as nobody is known to have told it to. */
interface Changed {
  readonly subjectId: string;
  readonly name: string;
}

/** What an EMS unit tells the inverters of its plant on its own, all day long. */
const directed: ReadonlySet<string> = new Set([
  'Setting/ActivePowerLimit',
  'Setting/ExportLimit',
  'Setting/PeakLimit',
  'Setting/ChargePower',
  'Setting/DischargePower',
  'Setting/WorkMode',
  'Setting/Schedule',
  'Setting/MinSoc',
  'Setting/BackupSoc',
  'Setting/GridCharge',
]);

export const settingKey = ({ subjectId, name }: Changed): string => `${subjectId} ${name}`;

/**
 * Settings of which what they were told to be before counts as wanted though nobody wrote it here: their devices have changed them by themselves. Not of
 * devices that were first heard within the hour, which somebody is putting into operation; not where a command that wrote the setting is under way or came
 * out otherwise of late, nor where an EMS unit directs the inverter; and not what the catalogue does not know, which may be a reading.
 */
export async function wantedAsBefore(trx: Transaction<Database>, changes: readonly Changed[]): Promise<Set<string>> {
  const asked = changes
    .filter(({ name }) => settingByName(name) !== undefined)
    .map(({ subjectId, name }) => ({ subject_id: subjectId, name, directed: directed.has(name) }));
  if (asked.length === 0) return new Set();
  const { rows } = await sql<{ subjectId: string; name: string }>`
    select r.subject_id as "subjectId", r.name from json_to_recordset(${JSON.stringify(asked)}::json) as r (
        subject_id uuid, name text, directed boolean)
      left join devices d on d.id = r.subject_id
      left join loggers l on l.id = r.subject_id
    where coalesce(d.first_seen_at, l.created_at) < now() - interval '1 hour'
      and not exists (select from commands c where coalesce(c.device_id, c.logger_id) = r.subject_id and c.kind = 'write'
        and c.content -> 'values' ? r.name
        and (c.state in ('sent', 'acknowledged') or (c.state in ('timedOut', 'differs') and c.done_at > now() - interval '1 hour')))
      and not (r.directed and exists (
        select from devices e where e.site_id = d.site_id and e.kind = 'ems' and e.id <> d.id and e.deleted_at is null))`.execute(
    trx,
  );
  return new Set(rows.map(settingKey));
}
