import type { CommandContent, CommandSource } from '@sonnenwarte/contract/commands/command';
import type { Level } from '@sonnenwarte/contract/levels';
import { type Kysely, sql } from 'kysely';
import type { Actor } from '../access/actor.ts';
import type { Database } from '../stores/schema.ts';
import type { Values } from './open-command.ts';

/** Of a command: to whom it goes, and to which organisation that belongs. */
export interface SubjectFacts {
  readonly id: string;
  readonly subjectId: string;
  readonly isDevice: boolean;
  readonly sn: string;
  readonly path: string[];
  readonly content: CommandContent;
  readonly before: Values;
  readonly source: CommandSource;
}

export async function factsOfCommands(
  db: Kysely<Database>,
  ids: readonly string[],
): Promise<Map<string, SubjectFacts>> {
  const { rows } = await sql<SubjectFacts>`
    select c.id, coalesce(c.device_id, c.logger_id) as "subjectId", c.device_id is not null as "isDevice",
      coalesce(d.sn, l.sn) as sn, coalesce(o.path::text[], '{}') as path, c.content, c.before, c.source
    from commands c
    join loggers l on l.id = c.logger_id
    left join devices d on d.id = c.device_id
    left join sites s on s.id = coalesce(d.site_id, l.site_id)
    left join organisations o on o.id = coalesce(s.organisation_id, l.organisation_id)
    where c.id = any(${ids}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Accounts as the audit log names them. */
export async function factsOfAccounts(db: Kysely<Database>, ids: readonly string[]): Promise<Map<string, Actor>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'username', 'level', 'organisation_id'])
    .where(sql<boolean>`id = any(${[...new Set(ids)]}::uuid[])`)
    .execute();
  return new Map(
    rows.map(({ id, username, level, organisation_id }) => [
      id,
      {
        accountId: id,
        username,
        level: level as Level,
        organisationID: organisation_id,
        organisationPath: [],
        codes: new Set(),
        sessionId: '',
        mustChangePassword: false,
        viewAs: null,
      },
    ]),
  );
}
