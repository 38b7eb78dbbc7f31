import type { Kysely } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { type AuditEntry, pathOfOrganisation } from './audit.ts';

/** What an entry about work on plants and devices names. */
export type WorkedOn = 'site' | 'device' | 'datalogger';

/** What an entry of the log of operations says of whom it is about; `path` is that of the organisation whose people may read it. */
export const entryAbout = (
  recordKind: WorkedOn,
  { id, name, path }: { readonly id: string; readonly name: string; readonly path: readonly string[] },
) =>
  ({
    log: 'operation',
    recordKind,
    recordId: id,
    recordName: name,
    organisationPath: path,
  }) as const satisfies Partial<AuditEntry>;

/** The same of what belongs to an organisation, whose path is looked up; null: to none, so that the platform alone reads it. */
export const entryWithin = async (
  db: Kysely<Database>,
  recordKind: WorkedOn,
  { id, name }: { readonly id: string; readonly name: string },
  organisationId: string | null,
) =>
  entryAbout(recordKind, {
    id,
    name,
    path: organisationId === null ? [] : await pathOfOrganisation(db, organisationId),
  });

/** The same of a row of `sites`. */
export const entryAboutSite = (
  db: Kysely<Database>,
  site: { readonly id: string; readonly name: string; readonly organisation_id: string },
) => entryWithin(db, 'site', site, site.organisation_id);
