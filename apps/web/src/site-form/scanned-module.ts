import { DATALOGGER_SN_DIGITS } from '@sonnenwarte/contract/limits';
import { type ModuleValues, modulesIn } from './pasted-modules.ts';

const SERIAL = new RegExp(`^\\d{${DATALOGGER_SN_DIGITS}}$`);
const NAMES = { sn: ['sn', 's/n', 'serial'], key: ['key', 'pin'] } as const;

const named = (pairs: ReadonlyMap<string, string>, names: readonly string[]): string =>
  names.map((name) => pairs.get(name)).find((value) => value !== undefined) ?? '';

/** `https://…?sn=…&key=…`, the names in any case. */
function inAddress(text: string): ModuleValues | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const pairs = new Map([...new URL(text).searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  return { sn: named(pairs, NAMES.sn), key: named(pairs, NAMES.key) };
}

/** `SN:…;KEY:…`, divided by semicolons, commas or ends of lines, with colons or equals signs. */
function inPairs(text: string): ModuleValues | undefined {
  const parts = text.split(/[;,\n\r]+/).map((part) => /^\s*([a-z/]+)\s*[:=]\s*(.*?)\s*$/i.exec(part));
  const pairs = new Map(parts.flatMap((part) => (part ? [[(part[1] ?? '').toLowerCase(), part[2] ?? '']] : [])));
  return pairs.size === 0 ? undefined : { sn: named(pairs, NAMES.sn), key: named(pairs, NAMES.key) };
}

/**
 * The datalogger that a scanned code names: its serial number alone, number and key as in a pasted line, in named pairs, or in an
 * address. Nothing where it names none, as the code of a parcel.
 */
export function moduleInCode(code: string): ModuleValues | undefined {
  const text = code.trim();
  const found = inAddress(text) ?? inPairs(text) ?? modulesIn(text)[0];
  const sn = found?.sn.replaceAll(/\s/g, '') ?? '';
  return SERIAL.test(sn) ? { sn, key: found?.key.trim() ?? '' } : undefined;
}
