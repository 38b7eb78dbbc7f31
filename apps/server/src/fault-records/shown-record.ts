import type {
  FaultRecordRow,
  RecordContent,
  RecordFailure,
  RecordValue,
} from '@sonnenwarte/contract/fault-records/fault-record';
import { isUnderWay } from '@sonnenwarte/contract/fault-records/record-moves';
import type { FaultRecord, RecordRegister } from '@sonnenwarte/device-protocol/fault-records/fault-record';
import { type DeviceKind, placeOfPoint, pointByName, shownValue } from '@sonnenwarte/device-protocol/points/points';
import { fewestDigits } from '@sonnenwarte/energy/rounding';
import type { Actor } from '../access/actor.ts';
import { isLetPast } from '../access/codes.ts';
import type { RecordFound } from './records.store.ts';

/** A record as lists show it. */
export function toRecordRow(row: RecordFound, actor: Actor): FaultRecordRow {
  const isToAsk = !isUnderWay(row.state) && row.state !== 'stored' && row.on_device;
  return {
    recordID: row.id,
    deviceID: row.device_id,
    deviceSN: row.sn,
    kind: row.kind,
    model: row.model,
    stationID: row.site_id ?? '',
    plantName: row.site_name ?? '',
    ianaTimezone: row.time_zone ?? 'UTC',
    index: row.record_index,
    code: row.code,
    occurredMs: row.occurred_at.getTime(),
    trigger: row.trigger_name,
    triggerUnit: pointByName(row.kind, row.trigger_name)?.unit ?? '',
    triggerValue: row.trigger_value,
    triggerLimit: row.trigger_limit,
    state: row.state,
    failure: row.failure === '' ? null : (row.failure satisfies RecordFailure),
    deviceCode: row.device_code,
    parts: row.parts,
    partCount: row.part_count,
    bytes: row.size,
    isOnDevice: row.on_device,
    storedMs: row.stored_at?.getTime() ?? null,
    can: {
      ask: isToAsk && actor.viewAs === null,
      download: row.state === 'stored' && isLetPast(actor, ['errorRecord:download']),
    },
  };
}

/** Digits behind the point that a sample can tell. */
const decimalsOf = (scale: number): number => Math.min(9, Math.max(0, Math.ceil(-Math.log10(scale))));

/** What a record holds, for people. */
export function toContent(record: FaultRecord, kind: DeviceKind): RecordContent {
  const values = record.registers.map((register) => toValue(register, kind));
  return {
    nominalHz: record.nominalHz,
    rateHz: record.rateHz,
    before: record.before,
    values: values.toSorted(
      (a, b) => placeOfPoint(kind, a.variable) - placeOfPoint(kind, b.variable) || a.variable.localeCompare(b.variable),
    ),
    waves: record.channels.map(({ name, unit, scale, samples }) => {
      const decimals = decimalsOf(scale);
      return {
        variable: name,
        unit,
        values: Array.from(samples, (sample) => Number((sample * scale).toFixed(decimals))),
      };
    }),
  };
}

function toValue({ name, value, low, high }: RecordRegister, kind: DeviceKind): RecordValue {
  const point = pointByName(kind, name);
  const phrase = typeof value === 'number' ? point?.enum?.[value] : undefined;
  const isOutside =
    typeof value === 'number' && ((low !== undefined && value < low) || (high !== undefined && value > high));
  return {
    variable: name,
    unit: point?.unit ?? '',
    value: shownValue(point, typeof value === 'number' ? fewestDigits(value) : value),
    ...(phrase !== undefined && { phrase }),
    low: low ?? null,
    high: high ?? null,
    isOutside,
  };
}
