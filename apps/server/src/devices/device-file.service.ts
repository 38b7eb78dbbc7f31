import type { deviceEndpoints } from '@sonnenwarte/contract/devices/devices';
import type { Parsed } from '@sonnenwarte/contract/endpoint';
import { type Point, pointByName, pointLabelKey } from '@sonnenwarte/device-protocol/points/points';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import { fewestDigits } from '@sonnenwarte/energy/rounding';
import { type CellValue, type HeaderCell, wallClockOf } from '../exports/cells.ts';
import { type PhraseKey, phraseText } from '../exports/phrase-text.ts';
import { fileOf } from '../exports/serve-export.ts';
import { found } from '../http/call-error.ts';
import type { CallContext, FileAnswer } from '../http/serve.ts';
import { breathe } from '../in-slices.ts';
import type { Uses } from '../services.ts';
import { deviceFrame } from './devices.store.ts';
import { samplesOf } from './samples.store.ts';

/** Between so many rows the event loop is given back. */
const ROWS_AT_ONCE = 200;
/** Units that are no quantities, so that a column of them holds what was told. */
const unitless = new Set(['1', 'bool', 'enum', 'bitfield', 'text']);

const cellOf = (value: number | string | null): CellValue => (typeof value === 'number' ? fewestDigits(value) : value);

/** All samples of a device over a day of its plant, a column for each point that it has told. */
export async function deviceDayFile(
  { db, telemetry, nowMs }: Uses<'db' | 'telemetry' | 'nowMs'>,
  { deviceID, date, format }: Parsed<(typeof deviceEndpoints)['exportHistory']>,
  { scope, language }: CallContext,
): Promise<FileAnswer> {
  const device = found(await deviceFrame(db, scope, deviceID, nowMs()), 'deviceNotFound');
  const points = device.points.flatMap((name): Point[] => {
    const point = pointByName(device.kind, name);
    return point === undefined ? [] : [point];
  });
  const { timesMs, values } =
    points.length === 0
      ? { timesMs: [], values: [] }
      : await samplesOf(telemetry, device, points, dayBounds(date, device.timeZone));

  async function* rows(): AsyncGenerator<readonly CellValue[]> {
    for (const [at, tsMs] of timesMs.entries()) {
      if (at % ROWS_AT_ONCE === 0) await breathe();
      const time = new Date(tsMs);
      yield [time, time.toISOString(), ...points.map((_, place) => cellOf(values[place]?.[at] ?? null))];
    }
  }

  const words = (key: PhraseKey, n?: number): string => phraseText(key, language, n === undefined ? {} : { n });
  const nameOf = ({ name, unit }: Point): string => {
    const label = pointLabelKey(name);
    const text = label === undefined ? name : words(label.key as PhraseKey, label.n);
    return unitless.has(unit) ? text : `${text} (${unit})`;
  };
  const header: HeaderCell[] = [
    { text: `${words('charts.time')} (${device.timeZone})`, kind: 'time' },
    { text: `${words('charts.time')} (UTC)`, kind: 'text' },
    ...points.map((point): HeaderCell => ({ text: nameOf(point), kind: point.unit === 'text' ? 'text' : 'number' })),
  ];
  const table = { name: device.sn, header, rows: rows(), clock: wallClockOf(device.timeZone) };
  return fileOf(table, `${device.sn}-${date}`, format, language);
}
