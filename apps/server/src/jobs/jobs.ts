import { parseCronItems, type Runner, run, type TaskList } from 'graphile-worker';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { DatabaseConnection } from '../database-url.ts';
import { jobLogger, jobPool } from '../stores/job-tables.ts';
import type { Database } from '../stores/schema.ts';

/**
 * Does one job. Throwing makes it be tried again later, with growing pauses. The end of the server waits for it: what takes longer ends early
 * once `ending` is aborted, so that the next one goes on.
 */
export type JobHandler = (payload: unknown, ending: AbortSignal) => Promise<void>;

export interface RegularJob {
  readonly name: string;
  /** Five fields of cron, UTC. */
  readonly cron: string;
}

/** Names and handlers of the server's jobs; features add theirs before the start. */
export class Jobs {
  readonly handlers = new Map<string, JobHandler>();
  readonly regular: RegularJob[] = [];

  on(name: string, handle: JobHandler): void {
    this.handlers.set(name, handle);
  }

  every(name: string, cron: string, handle: (ending: AbortSignal) => Promise<void>): void {
    this.on(name, (_, ending) => handle(ending));
    this.regular.push({ name, cron });
  }
}

/** Puts a job into the queue; within a transaction it exists only once that commits. */
export async function addJob(db: Kysely<Database>, name: string, payload: unknown = {}): Promise<void> {
  await sql`select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json)`.execute(db);
}

export interface RunningJobs {
  stop(): Promise<void>;
}

const CONNECTIONS = 3;

/** Works off the queue until stopped. A job that was running when the server was killed is done again. */
export async function startJobs(jobs: Jobs, connection: DatabaseConnection, logger: Logger): Promise<RunningJobs> {
  const ending = new AbortController();
  const pool = jobPool(connection, logger, CONNECTIONS);
  const taskList: TaskList = Object.fromEntries(
    [...jobs.handlers].map(([name, handle]) => [name, (payload: unknown) => handle(payload, ending.signal)]),
  );
  const runner: Runner = await run({
    pgPool: pool,
    taskList,
    parsedCronItems: parseCronItems(jobs.regular.map(({ name, cron }) => ({ task: name, match: cron }))),
    concurrency: 2,
    noHandleSignals: true,
    logger: jobLogger(logger),
  });
  runner.promise.catch((error: unknown) => logger.error({ err: error }, 'the job queue stopped'));
  return {
    stop: async () => {
      ending.abort();
      await runner.stop();
      await pool.end();
    },
  };
}
