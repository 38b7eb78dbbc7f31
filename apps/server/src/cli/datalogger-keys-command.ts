import { readFileSync } from 'node:fs';
import { isDataloggerSn } from '@sonnenwarte/device-protocol/sparkplug/topics';
import type { Kysely } from 'kysely';
import { type KnownDatalogger, newDataloggerKey, noteDataloggers } from '../datalogger-keys/datalogger-keys.store.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

const MOST_LINES = 100_000;
const AT_ONCE = 1_000;
const MOST_PROBLEMS = 20;
const KEY = /^[0-9A-Za-z][0-9A-Za-z -]{5,62}[0-9A-Za-z]$/;

/** Makes the key of a datalogger, or a new one in place of the old; null where it has one that may not be replaced. */
export async function makeKey(db: Db, sn: string, isRenewed: boolean): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    const known = await tx.selectFrom('logger_keys').selectAll().where('sn', '=', sn).forUpdate().executeTakeFirst();
    if (known !== undefined && known.key_hash !== null && !isRenewed) return null;
    const key = newDataloggerKey();
    await noteDataloggers(tx, [{ sn, key, organisationID: known?.organisation_id ?? null }]);
    return key;
  });
}

/** What a file of serial numbers came to: how many, or what is wrong with which lines. */
export type Import = { readonly count: number } | { readonly problems: readonly string[] };

/**
 * Notes the dataloggers of a file with the lines `sn,key[,organisation]`, all or none. The organisation, by name, number or id, links them
 * without a key; then the key may be empty.
 */
export async function importDataloggers(db: Db, file: string): Promise<Import> {
  const lines = readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  if (lines.length > MOST_LINES) return { problems: [`The file has more than ${MOST_LINES} lines.`] };
  const organisations = await organisationsByName(db);
  const read = new Map<string, KnownDatalogger>();
  const problems: string[] = [];
  for (const [index, line] of lines.entries()) {
    const cells = line.split(/[,;]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    if (line.trim() === '' || (index === 0 && cells[0]?.toLowerCase() === 'sn')) continue;
    const problem = take(cells, read, organisations);
    if (problem !== undefined) problems.push(`Line ${index + 1}: ${problem}`);
  }
  if (problems.length > 0) return { problems: problems.slice(0, MOST_PROBLEMS) };
  const dataloggers = [...read.values()];
  await db.transaction().execute(async (tx) => {
    for (let at = 0; at < dataloggers.length; at += AT_ONCE) {
      await noteDataloggers(tx, dataloggers.slice(at, at + AT_ONCE));
    }
  });
  return { count: dataloggers.length };
}

/** Takes a line; answers what is wrong with it. */
function take(
  [sn = '', key = '', organisation = '']: readonly string[],
  read: Map<string, KnownDatalogger>,
  organisations: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  if (!isDataloggerSn(sn)) return `"${sn}" is no serial number of 15 digits.`;
  if (read.has(sn)) return `${sn} stands in the file twice.`;
  if (key === '' && organisation === '') return `${sn} has neither a key nor an organisation.`;
  if (key !== '' && !KEY.test(key)) return `the key of ${sn} is not 7 to 64 letters and digits.`;
  const [id, second] = organisation === '' ? [] : (organisations.get(organisation.toLowerCase()) ?? []);
  if (organisation !== '' && id === undefined) return `there is no organisation "${organisation}".`;
  if (second !== undefined) return `several organisations are called "${organisation}": give the number of one.`;
  read.set(sn, { sn, key: key === '' ? undefined : key, organisationID: id ?? null });
  return undefined;
}

/** Ids by what people call them: name, number and the id itself, in small letters. */
async function organisationsByName(db: Db): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('organisations')
    .select(['id', 'name', 'number'])
    .where('deleted_at', 'is', null)
    .execute();
  const ids = new Map<string, string[]>();
  for (const { id, name, number } of rows) {
    for (const called of [id, String(number), name.toLowerCase()]) ids.set(called, [...(ids.get(called) ?? []), id]);
  }
  return ids;
}
