import type { Parsed } from '@sonnenwarte/contract/endpoint';
import type { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { type HistoryVariable, historyNames } from '@sonnenwarte/contract/sites/site-history';
import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import { type CellValue, type HeaderCell, wallClockOf } from '../exports/cells.ts';
import { phraseText } from '../exports/phrase-text.ts';
import { fileOf } from '../exports/serve-export.ts';
import { found } from '../http/call-error.ts';
import type { CallContext, FileAnswer } from '../http/serve.ts';
import { breathe } from '../in-slices.ts';
import { dayAfter } from './compared-span.ts';
import { daysGrouped, type EnergySum, estimatedColumn, firstDayOf, hourSums, isMarked } from './site-energy.store.ts';
import { bucketSums } from './site-history.store.ts';
import { qualityOfEnergies } from './site-quality.ts';
import { columnOfVariable, columnsOf, planReport } from './site-report.ts';
import type { SiteStores } from './sites.service.ts';
import { type SiteFrame, siteFrame } from './sites.store.ts';

type Asked = Parsed<typeof siteEndpoints.historyExport>;

const BUCKET_MS = 300_000;
const WH_PER_KWH = 1_000;
/** Days that are read at once. */
const DAYS_AT_ONCE = { '5min': 1, hour: 31, day: 366, month: 3_660 } as const;

interface Step {
  /** The start of a time, or its name where it is a day or a month. */
  readonly at: Date | string;
  readonly sum: EnergySum | undefined;
}

type Read = (first: string, last: string) => Promise<Step[]>;

function readerOf(
  { telemetry, nowMs }: Pick<SiteStores, 'telemetry' | 'nowMs'>,
  site: SiteFrame,
  { step, variables }: Asked,
): Read {
  const energies = columnsOf(variables);
  const columns = [...energies, ...energies.filter(isMarked).map(estimatedColumn)];
  const now = nowMs();
  if (step === 'day' || step === 'month') {
    return async (first, last) => {
      const sums = await daysGrouped(telemetry, site, { first, last }, step, columns);
      const names = new Set<string>();
      for (let day = first; day <= last; day = dayAfter(day)) names.add(step === 'day' ? day : day.slice(0, 7));
      return [...names].map((name) => ({ at: name, sum: sums.get(name) }));
    };
  }
  if (step === '5min') {
    return async (day) => {
      const { startMs, endMs } = dayBounds(day, site.timeZone);
      const sums = await bucketSums(telemetry, site, { startMs, endMs }, columns);
      const length = Math.ceil((Math.min(endMs, now) - startMs) / BUCKET_MS);
      return Array.from({ length }, (_, place) => {
        const tsMs = startMs + place * BUCKET_MS;
        return { at: new Date(tsMs), sum: sums.get(tsMs / 1_000) };
      });
    };
  }
  return async (first, last) => {
    const parts = new Map<number, number>();
    const hours: number[] = [];
    for (let day = first; day <= last; day = dayAfter(day)) {
      const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
      const plan = planReport({ reportType: 'day', queryDate: { year, month, day: date } }, site.timeZone, now);
      if (plan.by !== 'hour') continue;
      for (const [partMs, hourMs] of plan.parts) parts.set(partMs, hourMs);
      hours.push(...plan.bars.map(({ name }) => Number(name)));
    }
    const { startMs } = dayBounds(first, site.timeZone);
    const { endMs } = dayBounds(last, site.timeZone);
    const sums = await hourSums(telemetry, site, { startMs, endMs, parts }, columns);
    return hours
      .filter((second) => second * 1_000 < now)
      .map((second) => ({ at: new Date(second * 1_000), sum: sums.get(String(second)) }));
  };
}

/** Rounds numbers so that what was told of them adds up to their sum, whatever their number. */
class Running {
  #exactWh = 0;
  #toldMilliWh = 0;

  kwh(wh: number): number {
    this.#exactWh += wh;
    const milliWh = Math.round(this.#exactWh * 1_000);
    const part = milliWh - this.#toldMilliWh;
    this.#toldMilliWh = milliWh;
    // One division of whole numbers: the nearest decimal, without the noise of two.
    return part / (1_000 * WH_PER_KWH);
  }
}

/** A range of a plant's history as a file, read while it is sent. */
export async function siteHistoryFile(
  stores: SiteStores,
  asked: Asked,
  { scope, language }: CallContext,
): Promise<FileAnswer> {
  const site = found(await siteFrame(stores.db, scope, asked.stationID), 'siteNotFound');
  const { timeZone } = site;
  const today = localDay(stores.nowMs(), timeZone);
  const recordedFrom = (await firstDayOf(stores.telemetry, site)) ?? today;
  const begin = asked.firstDay < recordedFrom ? recordedFrom : asked.firstDay;
  // Days to come hold nothing, those that a coming history has not been counted to are not known.
  const last = [asked.lastDay, today, site.heldDay ?? today].toSorted()[0] ?? today;
  const read = readerOf(stores, site, asked);
  const running = asked.variables.map(() => ({ energy: new Running(), estimated: new Running() }));
  const isTimed = asked.step === '5min' || asked.step === 'hour';
  const words = (key: Parameters<typeof phraseText>[0]): string => phraseText(key, language);

  function cellsOf({ at, sum }: Step): CellValue[] {
    const times: CellValue[] = at instanceof Date ? [at, at.toISOString().slice(0, 16).concat('Z')] : [at];
    return [
      ...times,
      ...asked.variables.flatMap((variable, place): CellValue[] => {
        const column = columnOfVariable[variable];
        const wh = sum?.[column] ?? null;
        const estimatedWh = isMarked(column) && wh !== null ? (sum?.estimated?.[column] ?? null) : null;
        const told = running[place];
        const energy =
          sum === undefined || wh === null
            ? [null, null]
            : [told?.energy.kwh(wh) ?? null, words(`states.${qualityOfEnergies(sum, [column])}`)];
        if (!isMarked(column)) return energy;
        return [...energy, estimatedWh === null ? null : (told?.estimated.kwh(estimatedWh) ?? null)];
      }),
    ];
  }

  async function* rows(): AsyncGenerator<readonly CellValue[]> {
    const days = DAYS_AT_ONCE[asked.step];
    for (let first = begin; first <= last; ) {
      const end = asked.step === 'month' ? last : [dayAfter(first, days - 1), last].toSorted()[0];
      for (const step of await read(first, end ?? last)) yield cellsOf(step);
      await breathe();
      first = dayAfter(end ?? last);
    }
  }

  const nameOf = (variable: HistoryVariable): string => historyNames[variable].map(words).join(' → ');
  const header: HeaderCell[] = [
    ...(isTimed
      ? [
          { text: `${words('charts.time')} (${timeZone})`, kind: 'time' as const },
          { text: `${words('charts.time')} (UTC)`, kind: 'text' as const },
        ]
      : [
          {
            text: words(`sites.export.step_${asked.step}`),
            kind: asked.step === 'day' ? ('day' as const) : ('text' as const),
          },
        ]),
    ...asked.variables.flatMap((variable): HeaderCell[] => [
      { text: `${nameOf(variable)} (kWh)`, kind: 'number' },
      { text: `${nameOf(variable)} (${words('states.quality')})`, kind: 'text' },
      ...(isMarked(columnOfVariable[variable])
        ? [{ text: `${nameOf(variable)} · ${words('states.estimated')} (kWh)`, kind: 'number' as const }]
        : []),
    ]),
  ];
  const table = { name: site.name, header, rows: rows(), clock: wallClockOf(timeZone) };
  return fileOf(table, `${site.name}-${asked.firstDay}-${last}`, asked.format, language);
}
