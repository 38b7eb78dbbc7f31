import * as z from 'zod/mini';
import { text } from '../fields.ts';

/** A row of a setting that is a table, such as a period of a schedule: its columns by name. */
const tableRow = z.record(text(32), z.number());

/** The value of a setting: a number, a choice or text, a switch, or the rows of a table. */
export const settingValue = z.union([z.number(), z.boolean(), text(128), z.array(tableRow).check(z.maxLength(64))]);
export type SettingValue = z.infer<typeof settingValue>;
export type TableRow = z.infer<typeof tableRow>;

/** Name of a setting in the protocol, such as `Setting/ExportLimit`. */
export const settingName = text(64, 1).check(z.regex(/^[A-Za-z0-9]+(?:\/[A-Za-z0-9]+)+$/));
