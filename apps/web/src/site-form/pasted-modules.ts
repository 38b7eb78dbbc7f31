import { DATALOGGER_SN_DIGITS } from '@sonnenwarte/contract/limits';

/** A datalogger as it is entered. */
export interface ModuleValues {
  sn: string;
  key: string;
}

const SEPARATORS = /[\s,;]+/;
const DIGITS = /^\d+$/;

/** A line: serial number, also where it is written in groups, and the key behind it. */
function moduleOf(line: string): ModuleValues {
  const [first = '', ...rest] = line
    .replaceAll('"', ' ')
    .split(SEPARATORS)
    .filter((part) => part !== '');
  let sn = first;
  while (DIGITS.test(sn) && DIGITS.test(rest[0] ?? '') && sn.length + (rest[0]?.length ?? 0) <= DATALOGGER_SN_DIGITS)
    sn += rest.shift();
  return { sn, key: rest.join('') };
}

/** Dataloggers of a pasted list, one a line: serial number, then the key after a space, tab, comma or semicolon. Headers are left out. */
export const modulesIn = (text: string): ModuleValues[] =>
  text
    .split(/\r\n|[\n\r]/)
    .filter((line) => /\d/.test(line))
    .map(moduleOf);

/** A serial number in groups of four, as it is read out. */
export const inGroups = (sn: string): string => (DIGITS.test(sn) ? sn.replaceAll(/(\d{4})(?=\d)/g, '$1 ') : sn);
