import * as z from 'zod/mini';
import { choice, choosing } from '../choices.ts';
import { commandSource } from '../commands/command.ts';
import { settingValue } from '../commands/setting-value.ts';
import { deviceKind } from '../devices/device.ts';
import { endpoint } from '../endpoint.ts';
import { exportFormats } from '../exports.ts';
import { plantDay, text } from '../fields.ts';
import { levels } from '../levels.ts';

/** Curves that are plotted together. */
export const MOST_CURVES = 12;
/** Days that are plotted together. */
export const MOST_ANALYSIS_DAYS = 15;
/** Samples of a curve that are always sent as they are: a day at a sample each ten seconds. */
export const MOST_WHOLE_SAMPLES = 8_640;
/** Marks that one answer names. */
export const MOST_MARKS = 200;

const devices = z.array(z.uuid()).check(z.minLength(1), z.maxLength(MOST_CURVES));
const days = {
  /** Days of the plant whose clock the answer follows, both included. */
  firstDay: plantDay(),
  lastDay: plantDay(),
};
const inOrder = z.refine<{ firstDay: string; lastDay: string }>((asked) => asked.firstDay <= asked.lastDay, {
  error: 'order',
  path: ['lastDay'],
});

const curve = z.object({
  /** Place of its device among `deviceIDs`. */
  of: z.int().check(z.gte(0), z.lt(MOST_CURVES)),
  variable: text(64, 1),
});

const plotted = { deviceIDs: devices, curves: z.array(curve).check(z.minLength(1), z.maxLength(MOST_CURVES)), ...days };

/** A device that is plotted. */
export const plottedDevice = z.object({
  deviceID: z.string(),
  deviceSN: z.string(),
  kind: deviceKind,
  deviceType: z.string(),
  stationID: z.nullable(z.string()),
  plantName: z.string(),
  /** Of its plant. */
  ianaTimezone: z.string(),
});
export type PlottedDevice = z.infer<typeof plottedDevice>;

/** A curve. A value that is `null` breaks it: nothing was told for long after the value before. */
export const plottedCurve = z.object({
  deviceID: z.string(),
  variable: z.string(),
  unit: z.string(),
  /** Place of its times among `times`. */
  times: z.int(),
  values: z.array(z.nullable(z.number())),
  /** How many samples stand behind the values. */
  samples: z.int(),
  /** Of each column of pixels the lowest and the highest sample only. */
  isThinned: z.boolean(),
});
export type PlottedCurve = z.infer<typeof plottedCurve>;

export const series = endpoint({
  method: 'POST',
  path: '/c/v0/analysis/series',
  feature: 'analysis',
  summary:
    'Curves of several devices over up to 15 days, each with the lowest and highest sample of a column of pixels where it has more samples than can be seen.',
  callers: levels,
  reads: true,
  input: z
    .object({
      ...plotted,
      /** Part of the days that is asked for, epoch ms. */
      fromMs: z.optional(z.int().check(z.gte(0))),
      toMs: z.optional(z.int().check(z.gte(0))),
      /** Columns of pixels that they are drawn in. */
      columns: z._default(z.int().check(z.gte(100), z.lte(4_000)), 1_000),
    })
    .check(inOrder),
  result: z.object({
    /** Whose clock the days are of: that of the first device's plant. */
    plantName: z.string(),
    ianaTimezone: z.string(),
    /** Of the days. */
    startMs: z.int(),
    endMs: z.int(),
    /** What the answer holds of them. */
    fromMs: z.int(),
    toMs: z.int(),
    /** Those that are there, in the order in which they were asked for. */
    devices: z.array(plottedDevice),
    /** Those that were asked for and are not there for the caller. */
    missing: z.array(z.string()),
    /** Lists of times: the first in epoch ms, each further one as the distance to the one before. */
    times: z.array(z.array(z.int())),
    series: z.array(plottedCurve),
  }),
  large: true,
  names: { deviceIDs: 'device' },
});

/** A value of a setting, with the phrase that names it where it is a choice. */
const toldSetting = z.object({ value: settingValue, phrase: z.optional(z.string()) });

/** Something that happened to a device: an alarm as long as it stood, or a setting that was changed. Further kinds are further members of the union. */
export const analysisMark = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('alarm'),
    deviceID: z.string(),
    deviceSN: z.string(),
    atMs: z.int(),
    /** Null while it stands. */
    untilMs: z.nullable(z.int()),
    code: z.int(),
    level: z.int(),
  }),
  z.object({
    kind: z.literal('setting'),
    deviceID: z.string(),
    deviceSN: z.string(),
    atMs: z.int(),
    name: z.string(),
    labelKey: z.string(),
    unit: z.string(),
    from: z.nullable(toldSetting),
    to: toldSetting,
    /** Who changed it; empty where the device did by itself, or the portal. */
    by: z.string(),
    source: z.union([commandSource, z.literal('device')]),
  }),
]);
export type AnalysisMark = z.infer<typeof analysisMark>;

export const marks = endpoint({
  method: 'POST',
  path: '/c/v0/analysis/marks',
  feature: 'analysis',
  summary: 'What happened to some devices within a range of days, in the order of time.',
  callers: levels,
  reads: true,
  input: z.object({ deviceIDs: devices, ...days }).check(inOrder),
  result: z.object({
    marks: z.array(analysisMark),
    /** How many there are; `marks` holds the worst of them. */
    total: z.int(),
  }),
  names: { deviceIDs: 'device' },
});

/** A device that can be plotted. */
export const deviceChoice = z.extend(choice, {
  kind: deviceKind,
  stationID: z.nullable(z.string()),
  plantName: z.string(),
});
export type DeviceChoice = z.infer<typeof deviceChoice>;

export const devicesToPlot = endpoint({
  method: 'POST',
  path: '/c/v0/analysis/devices',
  feature: 'analysis',
  summary: 'Devices in scope that match a text or are those of a plant, to be plotted.',
  callers: levels,
  reads: true,
  input: z.object({ ...choosing, stationID: z.optional(z.uuid()) }),
  result: z.object({ choices: z.array(deviceChoice) }),
});

export const exportSeries = endpoint({
  method: 'POST',
  path: '/c/v0/analysis/series/export',
  feature: 'analysis',
  summary: 'All samples of several curves over up to 15 days, as a CSV or XLSX file.',
  callers: levels,
  reads: true,
  file: true,
  input: z.object({ ...plotted, format: z._default(z.enum(exportFormats), 'csv') }).check(inOrder),
  result: z.null(),
  names: { deviceIDs: 'device' },
});

export const analysisEndpoints = { series, marks, devicesToPlot, exportSeries };
