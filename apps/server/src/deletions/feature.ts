import type { ClickHouseClient } from '@clickhouse/client';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Api } from '../http/serve.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Database } from '../stores/schema.ts';
import { bindDeletions } from './deletions.routes.ts';
import { purgeDeletions } from './purge.job.ts';

interface DeletionParts {
  readonly db: Kysely<Database>;
  readonly telemetry: ClickHouseClient;
  readonly jobs: Jobs;
  readonly logger: Logger;
}

/** What was deleted in the last 30 days, its undo, and the purge afterwards. */
export function deletionsFeature(api: Api, parts: DeletionParts): void {
  bindDeletions(api, parts.db);
  parts.jobs.every('deletions.purge', '20 2 * * *', () => purgeDeletions(parts, api.nowMs()));
}
