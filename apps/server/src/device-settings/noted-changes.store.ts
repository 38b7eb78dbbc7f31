import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';
import type { SettingChange } from './reported.store.ts';

type Trx = Transaction<Database>;

/** Changes of a setting within a day that a device makes by itself and that get rows of their own; those that follow are counted in the last of them. */
export const MOST_A_DAY = 20;

interface ChangeRow {
  readonly subject_id: string;
  readonly name: string;
  readonly from_value: SettingValue;
  to_value: SettingValue;
  at: number;
  readonly command_id: string | null;
  readonly account_id: string | null;
  readonly source: string;
  times: number;
}

/** The newest change of a setting, as far as it matters to what is noted next. */
interface Newest {
  /** Of a row that is stored already. */
  readonly id: number | null;
  readonly source: string;
  readonly row: Pick<ChangeRow, 'to_value' | 'at' | 'times'>;
}

interface Tail {
  newest: Newest | undefined;
  /** Rows of changes that the device made by itself within a day. */
  ownOfDay: number;
}

const keyOf = ({ subjectId, name }: Pick<SettingChange, 'subjectId' | 'name'>): string => `${subjectId} ${name}`;

/**
 * Notes changes of settings, each as a row of its own. What a device changes by itself over and over is counted in its last row, which then tells from what
 * to what, how often and when last: whatever it does, its history stays short. The settings are held by the transaction.
 */
export async function noteChanges(trx: Trx, changes: readonly SettingChange[]): Promise<void> {
  if (changes.length === 0) return;
  const tails = await tailsOf(
    trx,
    changes.filter(({ author }) => author === undefined),
  );
  const fresh: ChangeRow[] = [];
  const counted = new Map<number, Newest['row']>();
  for (const { subjectId, name, from, value, atMs, author } of changes) {
    const key = keyOf({ subjectId, name });
    const tail = tails.get(key) ?? { newest: undefined, ownOfDay: 0 };
    tails.set(key, tail);
    const { newest } = tail;
    if (author === undefined && newest?.source === 'device' && tail.ownOfDay >= MOST_A_DAY) {
      newest.row.to_value = value;
      newest.row.at = atMs;
      newest.row.times += 1;
      if (newest.id !== null) counted.set(newest.id, newest.row);
      continue;
    }
    const row: ChangeRow = {
      subject_id: subjectId,
      name,
      from_value: from,
      to_value: value,
      at: atMs,
      command_id: author?.id ?? null,
      account_id: author?.orderedBy ?? null,
      source: author?.source ?? 'device',
      times: 1,
    };
    fresh.push(row);
    tail.newest = { id: null, source: row.source, row };
    if (author === undefined) tail.ownOfDay += 1;
  }
  await insertChanges(trx, fresh);
  await countChanges(trx, counted);
}

/** The newest of the changes that a day has seen of each setting, and how many of them the device made by itself. */
async function tailsOf(trx: Trx, changes: readonly SettingChange[]): Promise<Map<string, Tail>> {
  const keys = new Map(changes.map((change) => [keyOf(change), change]));
  if (keys.size === 0) return new Map();
  const asked = [...keys.values()].map(({ subjectId, name, atMs }) => ({ subject_id: subjectId, name, at: atMs }));
  const { rows } = await sql<{
    subject_id: string;
    name: string;
    id: string;
    source: string;
    to_value: SettingValue;
    at: Date;
    times: number;
    own_of_day: number;
  }>`
    select k.subject_id, k.name, n.id, n.source, n.to_value, n.at, n.times, (
      select count(*)::int from (
        select from setting_changes c where c.subject_id = k.subject_id and c.name = k.name and c.source = 'device' and c.account_id is null
          and c.at > to_timestamp(k.at / 1000.0) - interval '1 day' limit ${MOST_A_DAY}) as own) as own_of_day
    from json_to_recordset(${JSON.stringify(asked)}::json) as k (subject_id uuid, name text, at float8)
    cross join lateral (
      select c.id, c.source, c.to_value, c.at, c.times from setting_changes c
      where c.subject_id = k.subject_id and c.name = k.name and c.at > to_timestamp(k.at / 1000.0) - interval '1 day'
      order by c.at desc, c.id desc limit 1) as n`.execute(trx);
  return new Map(
    rows.map(({ subject_id, name, id, source, to_value, at, times, own_of_day }) => [
      keyOf({ subjectId: subject_id, name }),
      { newest: { id: Number(id), source, row: { to_value, at: at.getTime(), times } }, ownOfDay: own_of_day },
    ]),
  );
}

async function insertChanges(trx: Trx, rows: readonly ChangeRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into setting_changes (subject_id, name, from_value, to_value, at, command_id, account_id, source, times)
    select r.subject_id, r.name, r.from_value, r.to_value, to_timestamp(r.at / 1000.0), (select id from commands where id = r.command_id),
      (select id from accounts where id = r.account_id), r.source, r.times
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (
      subject_id uuid, name text, from_value jsonb, to_value jsonb, at float8, command_id text, account_id uuid, source text, times int)`.execute(
    trx,
  );
}

/** Counts further changes in rows that stand for several. */
async function countChanges(trx: Trx, counted: ReadonlyMap<number, Newest['row']>): Promise<void> {
  if (counted.size === 0) return;
  const rows = [...counted].map(([id, { to_value, at, times }]) => ({ id, to_value, at, times }));
  await sql`
    update setting_changes c set to_value = r.to_value, at = to_timestamp(r.at / 1000.0), times = r.times
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (id bigint, to_value jsonb, at float8, times int)
    where c.id = r.id`.execute(trx);
}
