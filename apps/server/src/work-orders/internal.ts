import { type Expression, type SqlBool, sql } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { actsForOrganisation, type Scope } from '../access/scope.ts';

/** Who reads. */
export interface Reader {
  readonly scope: Scope;
  readonly accountId: string;
  readonly organisationID: string;
}

export const readerOf = ({ actor, scope }: { readonly actor: Actor; readonly scope: Scope }): Reader => ({
  scope,
  accountId: actor.accountId,
  organisationID: actor.organisationID,
});

/** What of an order tells who does not read what is internal of it. */
export interface AskingSide {
  readonly asked_by: string | null;
  /** The organisation of whoever asked; null where that is an end user. */
  readonly asked_from: string | null;
  /** Another organisation has had it. */
  readonly left_asker: boolean;
}

/**
 * Whether who sees an order reads what is internal of it. Never who asked it; nobody of the organisation of whoever asked once another has had the
 * order; else people of organisations, who see an order only where they stand on its way or above it.
 */
export const readsInternal = (reader: Reader, order: AskingSide): boolean =>
  actsForOrganisation(reader.scope) &&
  order.asked_by !== reader.accountId &&
  !(order.left_asker && order.asked_from === reader.organisationID);

/** The same as a condition on `work_orders`. */
export const internalIsRead = ({ scope, accountId, organisationID }: Reader): Expression<SqlBool> =>
  actsForOrganisation(scope)
    ? sql<SqlBool>`(work_orders.asked_by is distinct from ${accountId}::uuid
        and not (work_orders.left_asker and work_orders.asked_from is not distinct from ${organisationID}::uuid))`
    : sql<SqlBool>`false`;

/** To whom not even that there is something internal is told. */
export const keptFrom = ({ asked_by, asked_from, left_asker }: AskingSide) => ({
  accountId: asked_by,
  organisationID: left_asker ? asked_from : null,
});

/** Whose log says that something internal was written: not that of the organisation of whoever asked, which reads it too. */
export const pathOfInternal = ({ way, asked_from }: AskingSide & { readonly way: readonly string[] }): string[] =>
  way.filter((id) => id !== asked_from);
