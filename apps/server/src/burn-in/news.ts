import { type Kysely, sql } from 'kysely';
import { BURN_IN_CHANGED, LIVE_CHANNEL } from '../changes/live-bus.ts';
import type { Database } from '../stores/schema.ts';

/** Who looks at runs reads them again. */
export const tellOfRuns = (db: Kysely<Database>) =>
  sql`select pg_notify(${LIVE_CHANNEL}, ${BURN_IN_CHANGED})`.execute(db);
