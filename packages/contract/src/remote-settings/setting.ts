import * as z from 'zod/mini';
import { commandSource, commandState } from '../commands/command.ts';
import { settingName, settingValue } from '../commands/setting-value.ts';

/** Groups of settings, in the order in which screens show them. */
export const settingGroups = [
  'workMode',
  'soc',
  'charge',
  'exportLimit',
  'powerLimit',
  'reactive',
  'gridCode',
  'protection',
  'afci',
  'eps',
  'parallel',
  'meter',
  'time',
  'report',
] as const;
export const settingGroup = z.enum(settingGroups);
export type SettingGroup = z.infer<typeof settingGroup>;

/** What a value of a setting is. */
export const settingForm = z.enum(['number', 'choice', 'switch', 'text', 'table']);
export type SettingForm = z.infer<typeof settingForm>;

const bounds = {
  unit: z.string(),
  low: z.nullable(z.number()),
  high: z.nullable(z.number()),
  step: z.nullable(z.number()),
  decimals: z.int(),
};

export const settingColumn = z.object({ name: z.string(), labelKey: z.string(), ...bounds });
export const settingOption = z.object({ value: z.union([z.number(), z.string()]), labelKey: z.nullable(z.string()) });

/** What a setting is of this model and firmware: its bounds are those that the server holds to. */
export const settingRule = z.object({
  name: settingName,
  group: settingGroup,
  form: settingForm,
  ...bounds,
  default: z.nullable(settingValue),
  options: z.array(settingOption),
  columns: z.array(settingColumn),
  mostRows: z.int(),
  /** Phrases: its name, what it does, and what it can break (null: nothing that needs a warning). */
  labelKey: z.string(),
  meaningKey: z.string(),
  riskKey: z.nullable(z.string()),
  /** It can trip the grid protection or stop the plant: written only after the serial number was typed. */
  isDangerous: z.boolean(),
});
export type SettingRule = z.infer<typeof settingRule>;

/**
 * `neverRead`: the device has not told it. `told`: as the device has it, nobody has set it here. `confirmed`: as it was set here. `pending`: a command
 * is open. `refused`: the last command did not come through. `drifted`: the device has changed it by itself.
 */
export const settingStates = ['neverRead', 'told', 'confirmed', 'pending', 'refused', 'drifted'] as const;
export const settingState = z.enum(settingStates);
export type SettingState = z.infer<typeof settingState>;

/** A setting of a device: its rule, what the device says, and what it is meant to be. */
export const settingRow = z.object({
  rule: settingRule,
  state: settingState,
  reported: z.nullable(settingValue),
  reportedMs: z.nullable(z.int()),
  desired: z.nullable(settingValue),
  desiredSinceMs: z.nullable(z.int()),
  desiredBy: z.string(),
  /** `told`: nobody wrote it here; it is what the device told before it changed it by itself. */
  desiredSource: z.nullable(z.union([commandSource, z.literal('told')])),
  driftedSinceMs: z.nullable(z.int()),
  /** Newest command that wrote it. */
  command: z.nullable(
    z.object({
      commandID: z.string(),
      state: commandState,
      code: z.nullable(z.int()),
      message: z.string(),
      atMs: z.int(),
    }),
  ),
  /** The setting that keeps it from having an effect or from being written now, and the value for which it does. */
  blockedBy: z.nullable(z.object({ name: settingName, labelKey: z.string(), value: settingValue })),
  /** Whether who asks may write it; `level`: not at this level, `readOnly`: the device does not let it be written. */
  can: z.object({ write: z.boolean(), whyNot: z.nullable(z.enum(['level', 'readOnly', 'unknown'])) }),
});
export type SettingRow = z.infer<typeof settingRow>;

/** Who writes to the device right now. */
export const writer = z.object({ name: z.string(), sinceMs: z.int(), isSelf: z.boolean(), commandID: z.string() });

/** A change of a setting. `source` `device`: by the device itself. */
export const settingChange = z.object({
  changeID: z.string(),
  name: settingName,
  labelKey: z.string(),
  unit: z.string(),
  from: z.nullable(settingValue),
  to: settingValue,
  atMs: z.int(),
  by: z.string(),
  source: z.union([commandSource, z.literal('device')]),
  commandID: z.nullable(z.string()),
  /** How many changes it stands for: those that the device makes by itself over and over within a day are one, from before the first of them to after the last. */
  times: z.int(),
});
export type SettingChange = z.infer<typeof settingChange>;
