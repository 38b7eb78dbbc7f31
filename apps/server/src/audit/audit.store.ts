import type { AuditLog, auditEndpoints } from '@sonnenwarte/contract/audit/audit';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { auditIsVisible, type Scope } from '../access/scope.ts';
import { type Asked, containing, onPage, type Place, totalOf } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
export type LogInput = Asked<typeof auditEndpoints.accountLog>;
type Condition = LogInput['condition'];

/** As the index has it: who, record and address of an entry. */
const texts = sql`lower(actor || ' ' || record_name || ' ' || address)`;

const isSaid = (pattern: string): RawBuilder<SqlBool> => sql<SqlBool>`${texts} like ${pattern}`;

/** A column that says it; found by the index over all of them. */
const says = (column: 'actor' | 'record_name' | 'address', pattern: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${isSaid(pattern)} and lower(${sql.ref(column)}) like ${pattern})`;

/** By parts of names and addresses; by ids as a whole. */
function isSearched(contentType: number, content: string): RawBuilder<SqlBool> {
  const pattern = containing(content.toLowerCase());
  const ids = [content, content.toLowerCase()];
  const isRecord = sql<SqlBool>`record_id = any(${ids}::text[])`;
  const isRequest = sql<SqlBool>`request_id = any(${ids}::text[])`;
  switch (contentType) {
    case 1:
      return says('actor', pattern);
    case 2:
      return sql<SqlBool>`(${says('record_name', pattern)} or ${isRecord})`;
    case 3:
      return sql<SqlBool>`(${says('address', pattern)} or ${isRequest})`;
    case 4:
      return sql<SqlBool>`(before::text ilike ${pattern} or after::text ilike ${pattern})`;
    default:
      return sql<SqlBool>`(${isSaid(pattern)} or ${isRecord} or ${isRequest})`;
  }
}

function matching(db: Db, scope: Scope, log: AuditLog, condition: Condition) {
  const { content, contentType, action, recordKind, level, address, fromMs, toMs } = condition;
  let query = db.selectFrom('audit_log').where('log', '=', log).where(auditIsVisible(scope));
  if (content !== '') query = query.where(isSearched(contentType, content));
  if (action !== undefined) query = query.where('action', '=', action);
  if (recordKind !== undefined) query = query.where('record_kind', '=', recordKind);
  if (level !== undefined) query = query.where('actor_level', '=', level);
  if (address !== undefined && address !== '') query = query.where(says('address', containing(address.toLowerCase())));
  if (fromMs !== undefined) query = query.where('at', '>=', new Date(fromMs));
  if (toMs !== undefined) query = query.where('at', '<', new Date(toMs));
  return query;
}

const rowColumns = [
  'id',
  'at',
  'log',
  'action',
  'actor',
  'actor_level',
  'record_kind',
  'record_id',
  'record_name',
  'address',
  'user_agent',
  'request_id',
] as const;

/** A page of entries. Their ids come first, out of the index alone, so that a far page reads no more rows than a near one. */
export async function auditPage(
  db: Db,
  scope: Scope,
  log: AuditLog,
  input: LogInput & { readonly currentPage: number },
) {
  const { condition, sort } = input;
  const ids = matching(db, scope, log, condition)
    .select('id')
    .orderBy('at', sort.order)
    .orderBy('id', sort.order)
    .$call(onPage(input));
  return db
    .selectFrom('audit_log')
    .select(rowColumns)
    .where('id', 'in', ids)
    .orderBy('at', sort.order)
    .orderBy('id', sort.order)
    .execute();
}

/** The entries after a place, with what they changed: what an export reads, page after page, in one pass. */
export async function auditsAfter(db: Db, scope: Scope, log: AuditLog, input: LogInput, after: Place | null) {
  const { condition, sort, pageSize } = input;
  let query = matching(db, scope, log, condition).select([
    ...rowColumns,
    'before',
    'after',
    sql<string>`at::text`.as('place'),
  ]);
  if (after !== null) {
    const beyond = sql.raw(sort.order === 'asc' ? '>' : '<');
    query = query.where(sql<SqlBool>`(at, id) ${beyond} (${sql.join(after)})`);
  }
  return query.orderBy('at', sort.order).orderBy('id', sort.order).limit(pageSize).execute();
}

export const countAudits = (db: Db, scope: Scope, log: AuditLog, condition: Condition): Promise<number> =>
  totalOf(matching(db, scope, log, condition));

export const auditById = (db: Db, scope: Scope, id: number) =>
  db
    .selectFrom('audit_log')
    .select([...rowColumns, 'before', 'after', 'hash', 'previous_hash'])
    .where('id', '=', String(id))
    .where(auditIsVisible(scope))
    .executeTakeFirst();
