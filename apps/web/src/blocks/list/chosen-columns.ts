import * as z from 'zod/mini';
import { readSession, writeSession } from '../../state/storage.ts';

/** Columns that are shown or hidden other than the list does by itself. */
export type ChosenColumns = Readonly<Record<string, boolean>>;

const AS_THE_LIST = 'standard';

/** As they stand in an address: those shown, those hidden with a minus. */
export const columnsText = (chosen: ChosenColumns): string =>
  Object.entries(chosen)
    .map(([field, isShown]) => (isShown ? field : `-${field}`))
    .sort()
    .join(',') || AS_THE_LIST;

export const columnsOf = (text: string): ChosenColumns =>
  Object.fromEntries(
    text
      .split(',')
      .filter((each) => each !== '' && each !== AS_THE_LIST)
      .map((each) => (each.startsWith('-') ? [each.slice(1), false] : [each, true])),
  );

/** What this session has chosen of a list. */
export const keptColumns = (storedAs: string): ChosenColumns =>
  z.safeParse(z.record(z.string(), z.boolean()), readSession(`columns:${storedAs}`)).data ?? {};

export const keepColumns = (storedAs: string, chosen: ChosenColumns): void =>
  writeSession(`columns:${storedAs}`, chosen);
