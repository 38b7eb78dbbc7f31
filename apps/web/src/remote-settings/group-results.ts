import { isOpenCommand } from '@sonnenwarte/contract/commands/command';
import type { Result } from '@sonnenwarte/contract/endpoint';
import type { result } from '@sonnenwarte/contract/remote-settings/group-remote';
import type { Tone } from '../blocks/show/badge.tsx';

export type ResultDevice = Result<typeof result>['devices'][number];
export type ResultState = ResultDevice['state'];

export const resultTones: Readonly<Record<ResultState, Tone>> = {
  waiting: 'neutral',
  queued: 'neutral',
  sent: 'brand',
  acknowledged: 'brand',
  confirmed: 'good',
  refused: 'bad',
  differs: 'bad',
  timedOut: 'warn',
  expired: 'warn',
  cancelled: 'neutral',
};

/** It did not take the values and may be tried again. */
export const isFailed = ({ state }: Pick<ResultDevice, 'state'>): boolean =>
  state !== 'waiting' && state !== 'confirmed' && !isOpenCommand(state);

/** It has taken the values, or may have, and what it had before is known: the server writes that back to exactly these. */
export const isRevertible = ({ state, values }: Pick<ResultDevice, 'state' | 'values'>): boolean =>
  (state === 'confirmed' || state === 'differs' || state === 'timedOut') && values.some(({ from }) => from !== null);

/** A cell that begins like a formula is no formula. */
const FORMULA = /^[=+\-@\t\r]/;
const cellOf = (text: string): string => {
  const safe = FORMULA.test(text) && !/^[+-]?[\d.,\u00a0 ]+$/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
};

/** Rows as a file that spreadsheets open with its letters right. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `\ufeff${rows.map((cells) => cells.map(cellOf).join(';')).join('\r\n')}\r\n`;
