interface Row {
  readonly incidentID: string;
}

export interface Held<R extends Row> {
  readonly rows: readonly R[];
  /** Rows of the answer that are not among those shown. */
  readonly added: readonly R[];
}

/**
 * Rows as they stay under the eyes of who reads them: what is known of them anew, in the order in which they stand. New incidents
 * wait (`added`); where there are none, what has gone goes.
 */
export function heldRows<R extends Row>(shown: readonly R[], fresh: readonly R[], isNewer: boolean): Held<R> {
  const told = new Map(fresh.map((row) => [row.incidentID, row]));
  const stood = new Set(shown.map(({ incidentID }) => incidentID));
  const added = fresh.filter(({ incidentID }) => !stood.has(incidentID));
  const isSame = added.length === 0 && shown.length === fresh.length;
  if (!isSame && !isNewer) return { rows: fresh, added: [] };
  return { rows: shown.map((row) => told.get(row.incidentID) ?? row), added };
}
