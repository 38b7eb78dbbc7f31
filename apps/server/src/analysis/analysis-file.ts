import { type analysisEndpoints, MOST_CURVES } from '@sonnenwarte/contract/analysis/analysis';
import type { Parsed } from '@sonnenwarte/contract/endpoint';
import { MAX_EXPORT_ROWS } from '@sonnenwarte/contract/exports';
import type { Point } from '@sonnenwarte/device-protocol/points/points';
import { fewestDigits } from '@sonnenwarte/energy/rounding';
import type { Samples } from '../devices/samples.store.ts';
import { type CellValue, type HeaderCell, wallClockOf } from '../exports/cells.ts';
import { phraseText } from '../exports/phrase-text.ts';
import { pointName, unitText } from '../exports/point-name.ts';
import { fileOf } from '../exports/serve-export.ts';
import { CallError } from '../http/call-error.ts';
import type { CallContext, FileAnswer } from '../http/serve.ts';
import { breathe } from '../in-slices.ts';
import type { Uses } from '../services.ts';
import { plottedDevices, pointsAsked, spanOf } from './analysis.service.ts';
import { type PlottedRow, samplesTold } from './analysis.store.ts';
import { partsOfSamples } from './read-curves.ts';

type Asked = Parsed<(typeof analysisEndpoints)['exportSeries']>;

const ROWS_AT_ONCE = 500;
/** Samples that are held at once of all devices together. */
const SAMPLES_HELD = 48_000;
/** Samples of a device one by one, so that those of several devices can be read side by side. */
class Sequence {
  readonly #parts: AsyncGenerator<Samples>;
  #part: Samples | undefined;
  #at = 0;

  constructor(parts: AsyncGenerator<Samples>) {
    this.#parts = parts;
  }

  get nextMs(): number | undefined {
    return this.#part?.timesMs[this.#at];
  }

  get values(): readonly (number | string | null)[] {
    return this.#part?.values.map((each) => each[this.#at] ?? null) ?? [];
  }

  /** Goes on to the next sample, and reads the next part where this one is over. */
  async step(): Promise<void> {
    this.#at += 1;
    if (this.#part !== undefined && this.#at < this.#part.timesMs.length) return;
    const { value, done } = await this.#parts.next();
    this.#part = done === true ? undefined : value;
    this.#at = 0;
  }
}

/** All samples of curves as a file: a row for each moment at which any of the devices told something, read while it is sent. */
export async function seriesFile(
  { db, telemetry }: Uses<'db' | 'telemetry'>,
  asked: Asked,
  { scope, language }: CallContext,
): Promise<FileAnswer> {
  const { devices, first } = await plottedDevices(db, scope, asked.deviceIDs);
  const span = spanOf(asked, first.timeZone);
  const plotted = pointsAsked(asked, devices).filter(({ points }) => points.length > 0);
  if (plotted.length > 0) {
    const told = await samplesTold(
      telemetry,
      plotted.map(({ device }) => device),
      span,
    );
    if (told > MAX_EXPORT_ROWS) throw new CallError('exportTooLarge', { rows: told, maximum: MAX_EXPORT_ROWS });
  }
  const measured = phraseText('states.measured', language);
  const held = Math.floor(SAMPLES_HELD / Math.min(MOST_CURVES, Math.max(1, plotted.length)));

  async function* rows(): AsyncGenerator<readonly CellValue[]> {
    const sequences = plotted.map(
      ({ device, points }) => new Sequence(partsOfSamples(telemetry, device, points, span, held)),
    );
    for (const sequence of sequences) await sequence.step();
    for (let row = 0; ; row += 1) {
      if (row % ROWS_AT_ONCE === 0) await breathe();
      const nextMs = sequences.reduce<number | undefined>(
        (least, { nextMs: each }) => (each !== undefined && (least === undefined || each < least) ? each : least),
        undefined,
      );
      if (nextMs === undefined) return;
      const cells: CellValue[] = [new Date(nextMs), new Date(nextMs).toISOString()];
      for (const [place, { points }] of plotted.entries()) {
        const sequence = sequences[place];
        const isNow = sequence?.nextMs === nextMs;
        const values = isNow ? sequence.values : [];
        for (const at of points.keys()) {
          const value = values[at];
          cells.push(...(typeof value === 'number' ? [fewestDigits(value), measured] : [null, null]));
        }
        if (isNow) await sequence.step();
      }
      yield cells;
    }
  }

  const time = phraseText('charts.time', language);
  const columnsOf = ({ sn }: PlottedRow, point: Point): HeaderCell[] => {
    const name = `${pointName(point, language)} · ${sn}`;
    const unit = unitText(point.unit);
    return [
      { text: unit === '' ? name : `${name} (${unit})`, kind: 'number' },
      { text: `${name} (${phraseText('states.quality', language)})`, kind: 'text' },
    ];
  };
  const header: HeaderCell[] = [
    { text: `${time} (${first.timeZone})`, kind: 'time' },
    { text: `${time} (UTC)`, kind: 'text' },
    ...plotted.flatMap(({ device, points }) => points.flatMap((point) => columnsOf(device, point))),
  ];
  const title = phraseText('routes.analysis', language);
  const table = { name: title, header, rows: rows(), clock: wallClockOf(first.timeZone) };
  return fileOf(table, `${title}-${asked.firstDay}-${asked.lastDay}`, asked.format, language);
}
