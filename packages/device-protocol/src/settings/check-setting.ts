import type { SettingContent, SettingTableRow } from './setting-content.ts';
import type { Bounds, SettingRule } from './setting-rules.ts';

/**
 * Why a value cannot be written. `wrongType`: of another form; `notOffered`: none of the choices; `tooSmall`, `tooBig` with the `bound`; `notAStep`
 * between two steps; `tooManyRows`, `tooFewRows`; `column`: a column lacks, or is too much; `periodShort`: a period ends before it begins, or within half an hour;
 * `overlap`: two rows hold at the same time; `crossed`: the lower limit is above the higher; `notAZone`: no time zone.
 */
export type SettingProblemReason =
  | 'wrongType'
  | 'notOffered'
  | 'tooSmall'
  | 'tooBig'
  | 'notAStep'
  | 'tooManyRows'
  | 'tooFewRows'
  | 'column'
  | 'periodShort'
  | 'overlap'
  | 'crossed'
  | 'notAZone';

export interface SettingProblem {
  readonly reason: SettingProblemReason;
  readonly bound?: number;
  /** Of a table: where. */
  readonly row?: number;
  readonly column?: string;
}

/** Rounding of single precision, of a step. */
const STEP_TOLERANCE = 1e-4;
const LEAST_PERIOD_MIN = 30;
const LONGEST_TEXT = 128;
/** Modes of a period: to charge and to discharge, and the three in which it leaves the battery to itself. */
const MODE_COLUMN = 'mode';

/** Whether a value may be written by a rule; undefined where it may, else the first thing that is wrong with it. */
export function checkSetting(rule: SettingRule, value: SettingContent): SettingProblem | undefined {
  switch (rule.form) {
    case 'switch':
      return typeof value === 'boolean' ? undefined : { reason: 'wrongType' };
    case 'choice':
      return rule.options.some((option) => option.value === value) ? undefined : { reason: 'notOffered' };
    case 'text':
      return textProblem(rule, value);
    case 'number':
      return typeof value === 'number' ? numberProblem(rule, value, rule.leastAmount) : { reason: 'wrongType' };
    case 'table':
      return typeof value === 'object' ? tableProblem(rule, value) : { reason: 'wrongType' };
  }
}

function textProblem({ name }: SettingRule, value: SettingContent): SettingProblem | undefined {
  if (typeof value !== 'string') return { reason: 'wrongType' };
  if (value.length > LONGEST_TEXT) return { reason: 'tooBig', bound: LONGEST_TEXT };
  return name === 'Clock/TimeZone' && !isZone(value) ? { reason: 'notAZone' } : undefined;
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '' && !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

/** A time zone with the capitals of its name: `europe/berlin` as `Europe/Berlin`. What is none stays as it is. */
export function zoneSpelt(name: string): string {
  if (!isZone(name)) return name;
  const known = Intl.supportedValuesOf('timeZone').find((zone) => zone.toLowerCase() === name.toLowerCase());
  if (known !== undefined) return known;
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
  return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
}

function numberProblem(
  { low, high, step, decimals }: Bounds,
  value: number,
  leastAmount: number | null = null,
): SettingProblem | undefined {
  if (!Number.isFinite(value)) return { reason: 'wrongType' };
  if (low !== null && value < low) return { reason: 'tooSmall', bound: low };
  if (high !== null && value > high) return { reason: 'tooBig', bound: high };
  if (leastAmount !== null && Math.abs(value) < leastAmount) return { reason: 'tooSmall', bound: leastAmount };
  if (step === null) return undefined;
  const steps = value * 10 ** decimals;
  return Math.abs(steps - Math.round(steps)) > STEP_TOLERANCE ? { reason: 'notAStep', bound: step } : undefined;
}

function tableProblem(rule: SettingRule, rows: readonly SettingTableRow[]): SettingProblem | undefined {
  if (rows.length > rule.mostRows) return { reason: 'tooManyRows', bound: rule.mostRows };
  if (rows.length < rule.leastRows) return { reason: 'tooFewRows', bound: rule.leastRows };
  for (const [row, cells] of rows.entries()) {
    const problem = rowProblem(rule, cells);
    if (problem !== undefined) return { ...problem, row };
  }
  const isSchedule =
    rule.columns.some(({ name }) => name === 'start') && rule.columns.some(({ name }) => name === 'days');
  return isSchedule ? overlapIn(rows) : undefined;
}

function rowProblem({ name, columns }: SettingRule, cells: SettingTableRow): SettingProblem | undefined {
  const stray = Object.keys(cells).find((cell) => !columns.some((column) => column.name === cell));
  if (stray !== undefined) return { reason: 'column', column: stray };
  for (const column of columns) {
    const cell = Object.hasOwn(cells, column.name) ? cells[column.name] : undefined;
    if (cell === undefined) return { reason: 'column', column: column.name };
    const problem = numberProblem(column, cell);
    if (problem !== undefined) return { ...problem, column: column.name };
  }
  return relationProblem(name, cells);
}

/** What the columns of a row are to each other. */
function relationProblem(name: string, cells: SettingTableRow): SettingProblem | undefined {
  const { start, end, minSoc, fdSoc, over, under } = cells;
  if (start !== undefined && end !== undefined) {
    const least = MODE_COLUMN in cells ? LEAST_PERIOD_MIN : 1;
    if (end - start < least) return { reason: 'periodShort', bound: least, column: 'end' };
  }
  if (minSoc !== undefined && fdSoc !== undefined && fdSoc < minSoc) {
    return { reason: 'tooSmall', bound: minSoc, column: 'fdSoc' };
  }
  if (over !== undefined && under !== undefined && over <= under && name.startsWith('Setting/O')) {
    return { reason: 'crossed', column: 'under' };
  }
  return undefined;
}

/** Periods of the same weekday must not hold at the same time; one may end when the next begins. */
function overlapIn(rows: readonly SettingTableRow[]): SettingProblem | undefined {
  for (const [row, late] of rows.entries()) {
    for (const early of rows.slice(0, row)) {
      const sharesDay = ((late.days ?? 0) & (early.days ?? 0)) !== 0;
      const touches = (late.start ?? 0) < (early.end ?? 0) && (early.start ?? 0) < (late.end ?? 0);
      if (sharesDay && touches) return { reason: 'overlap', row, column: 'start' };
    }
  }
  return undefined;
}

/** A setting that keeps another from having an effect, and what it stands at. */
export interface Blocker {
  readonly name: string;
  readonly value: SettingContent;
}

/**
 * What blocks a setting where the device has these values. One that the device has not told blocks nothing: whether it would is not known.
 */
export function blockerOf(
  rule: Pick<SettingRule, 'blockedBy'>,
  toldOf: (name: string) => SettingContent | null | undefined,
): Blocker | undefined {
  for (const { name, values, unless } of rule.blockedBy) {
    const value = toldOf(name) ?? null;
    if (value === null) continue;
    const isOneOf = (list: readonly SettingContent[]) => list.includes(value);
    if ((values !== undefined && isOneOf(values)) || (unless !== undefined && !isOneOf(unless))) return { name, value };
  }
  return undefined;
}
