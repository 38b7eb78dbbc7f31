import type { ClickHouseClient } from '@clickhouse/client';
import { type StringRow, stringRows } from '@sonnenwarte/contract/devices/string-rows';
import type { DayEvidence } from '@sonnenwarte/contract/insight/evidence';
import type { DayWorkings } from '@sonnenwarte/energy/insight/day-insight';
import { BUCKET_MS, type PlantDay } from '@sonnenwarte/energy/insight/plant-day';
import { medianOf } from '@sonnenwarte/energy/insight/statistics';
import { devicesOfKind, stringValues } from './day-readings.ts';
import { isOnePlane, type ReadDay } from './plant-days.ts';

const MOST_ALARMS = 20;
/** Inverters of which strings are shown. */
const MOST_INVERTERS = 12;
/** A, below it the sun is too low to compare strings at one moment. */
const LEAST_A = 1;

/** Alarms that stood on a day, the gravest first, of each device and kind the first. */
export function standingAlarms({ alarms }: PlantDay): DayEvidence['alarms'] {
  const first = new Map<string, DayEvidence['alarms'][number]>();
  for (const { device, code, level, fromMs, untilMs } of alarms) {
    const key = `${code} ${device}`;
    if (!first.has(key)) first.set(key, { code, level, deviceSN: device, sinceMs: fromMs, untilMs });
  }
  return [...first.values()].toSorted((a, b) => b.level - a.level || a.sinceMs - b.sinceMs).slice(0, MOST_ALARMS);
}

type Strings = Pick<DayEvidence, 'strings' | 'stringsBasis'>;

/**
 * Strings of each inverter side by side, when the plant gave most. How far each is behind the others is told as the day's own check has it; where the day
 * was too dark for that, by the currents of that moment.
 */
export async function stringsAtBest(
  telemetry: ClickHouseClient,
  { plant, day: { startMs, pvW } }: ReadDay,
  { stringShares, insight: { reasons } }: DayWorkings,
): Promise<Strings> {
  let best = -1;
  for (const [at, watts] of pvW.entries()) if (watts > (pvW[best] ?? 0)) best = at;
  const inverters = devicesOfKind([plant], 'inverter').slice(0, MOST_INVERTERS);
  if (best < 0 || inverters.length === 0) return { strings: [], stringsBasis: null };
  const atMs = startMs + best * BUCKET_MS;
  const values = await stringValues(
    telemetry,
    inverters.map(({ key }) => key),
    atMs,
  );
  const told = inverters.flatMap(({ id, key, sn }) => {
    const rows = stringRows(values.get(key) ?? []);
    return rows.length === 0 ? [] : [{ deviceID: id, deviceSN: sn, atMs, rows }];
  });
  if (told.length === 0) return { strings: [], stringsBasis: null };
  const [share] = stringShares;
  if (share !== undefined) {
    const byName = new Map(stringShares.map((each) => [`${each.device} ${each.string}`, each]));
    const weak = new Set(
      reasons.flatMap(({ kind, evidence }) =>
        kind === 'string-weak' ? [`${evidence.device} ${evidence.string}`] : [],
      ),
    );
    // Beside one that is behind the others stand at what they are among themselves.
    const ofOthers = stringShares.filter((each) => each.share >= each.bound).map((each) => each.share);
    const usual = ofOthers.length === 0 || ofOthers.length === stringShares.length ? 1 : medianOf(ofOthers);
    const isOfDay = (sn: string, row: StringRow): StringRow => {
      const name = `${sn} ${row.kind === 'string' ? 'String' : 'MPPT'}${row.n}`;
      const found = byName.get(name);
      if (found === undefined) return { ...row, percent: null, weak: false };
      const isBehind = found.share < found.bound;
      return { ...row, percent: (100 * found.share) / (isBehind ? 1 : usual), weak: weak.has(name) || isBehind };
    };
    return { strings: withRows(told, isOfDay), stringsBasis: share.against };
  }
  if (!isOnePlane(plant)) return { strings: told, stringsBasis: 'inverter' };
  const currents = told.flatMap(({ rows }) => rows.flatMap(({ currentA }) => currentA ?? []));
  const middleA = currents.length < 2 ? Number.NaN : medianOf(currents);
  const isOfMoment = (_: string, row: StringRow): StringRow => ({
    ...row,
    percent: row.currentA === null || !(middleA >= LEAST_A) ? null : (100 * row.currentA) / middleA,
  });
  return { strings: withRows(told, isOfMoment), stringsBasis: 'plant' };
}

const withRows = (
  told: DayEvidence['strings'],
  of: (deviceSN: string, row: StringRow) => StringRow,
): DayEvidence['strings'] =>
  told.map(({ rows, ...inverter }) => ({ ...inverter, rows: rows.map((row) => of(inverter.deviceSN, row)) }));
