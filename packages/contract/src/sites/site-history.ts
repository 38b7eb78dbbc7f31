import * as z from 'zod/mini';
import { exportFormats } from '../exports.ts';
import { plantDay } from '../fields.ts';
import type { ReportVariable } from './site.ts';

/** The steps of a file of a plant's history. */
export const historySteps = ['5min', 'hour', 'day', 'month'] as const;
export type HistoryStep = (typeof historySteps)[number];

/** Days that a file in steps of five minutes may hold. */
export const MAX_FINE_DAYS = 31;
/** Days that a file may hold at all. */
export const MAX_HISTORY_DAYS = 36_600;

/** What a file can hold, each named by the words of the screens; two words are a way from one to the other. */
export const historyNames = {
  PVEnergyTotal: ['sites.figure.generationWh'],
  external: ['sites.figure.externalWh'],
  loads: ['charts.series.load'],
  charger: ['sites.figure.chargerWh'],
  feedin: ['sites.figure.feedInWh'],
  gridConsumption: ['sites.figure.purchaseWh'],
  chargeEnergyToTal: ['sites.figure.chargeWh'],
  dischargeEnergyToTal: ['sites.figure.dischargeWh'],
  loss: ['charts.part.loss'],
  pvToLoad: ['charts.series.pv', 'sites.from.house'],
  pvToCharger: ['charts.series.pv', 'sites.from.car'],
  pvToBattery: ['charts.series.pv', 'charts.series.battery'],
  pvToGrid: ['charts.series.pv', 'charts.series.grid'],
  externalToLoad: ['charts.series.external', 'sites.from.house'],
  externalToCharger: ['charts.series.external', 'sites.from.car'],
  batteryToLoad: ['charts.series.battery', 'sites.from.house'],
  batteryToCharger: ['charts.series.battery', 'sites.from.car'],
  batteryToGrid: ['charts.series.battery', 'charts.series.grid'],
  gridToLoad: ['charts.series.grid', 'sites.from.house'],
  gridToCharger: ['charts.series.grid', 'sites.from.car'],
  gridToBattery: ['charts.series.grid', 'charts.series.battery'],
} as const satisfies Partial<Record<ReportVariable, readonly [string] | readonly [string, string]>>;
export type HistoryVariable = keyof typeof historyNames;
export const historyVariables = Object.keys(historyNames) as readonly HistoryVariable[];

const DAY_MS = 86_400_000;
const daysOf = ({ firstDay, lastDay }: { firstDay: string; lastDay: string }): number =>
  (Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS + 1;

export const historyInput = z
  .object({
    stationID: z.uuid(),
    /** Plant-local days, both included. */
    firstDay: plantDay(),
    lastDay: plantDay(),
    step: z.enum(historySteps),
    variables: z
      .array(z.enum(historyVariables))
      .check(z.minLength(1), z.maxLength(historyVariables.length))
      .check(z.refine((chosen) => new Set(chosen).size === chosen.length, { error: 'duplicate' })),
    format: z._default(z.enum(exportFormats), 'csv'),
  })
  .check(z.refine((asked) => daysOf(asked) >= 1, { error: 'order', path: ['lastDay'] }))
  .check(
    z.refine((asked) => daysOf(asked) <= (asked.step === '5min' ? MAX_FINE_DAYS : MAX_HISTORY_DAYS), {
      error: 'tooLong',
      path: ['lastDay'],
    }),
  );
