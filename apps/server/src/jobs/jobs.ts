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

/**
 * Jobs of one lane wait for each other alone: mails do not wait for a stranger's webhook that answers late (`outgoing`), nor for reports that are
 * made (`making`).
 */
export type Lane = 'prompt' | 'outgoing' | 'making';

/** How many jobs of a lane are done at a time. */
const LANES: Readonly<Record<Lane, number>> = { prompt: 2, outgoing: 4, making: 2 };

export interface RegularJob {
  readonly name: string;
  /** Five fields of cron, UTC. */
  readonly cron: string;
}

/** Names and handlers of the server's jobs; features add theirs before the start. */
export class Jobs {
  readonly #handlers = new Map<string, { readonly handle: JobHandler; readonly lane: Lane }>();
  readonly regular: RegularJob[] = [];

  on(name: string, handle: JobHandler, lane: Lane = 'prompt'): void {
    this.#handlers.set(name, { handle, lane });
  }

  of(lane: Lane): [name: string, handle: JobHandler][] {
    return [...this.#handlers].flatMap(([name, each]) => (each.lane === lane ? [[name, each.handle]] : []));
  }

  every(name: string, cron: string, handle: (ending: AbortSignal) => Promise<void>): void {
    this.on(name, (_, ending) => handle(ending));
    this.regular.push({ name, cron });
  }
}

/** Puts a job into the queue; within a transaction it exists only once that commits. Of those of one `turn` one is done at a time. */
export async function addJob(db: Kysely<Database>, name: string, payload: unknown = {}, turn?: string): Promise<void> {
  await sql`select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, ${turn ?? null})`.execute(db);
}

/** The turn of an account in what is sent to addresses that users gave: whoever answers late holds up nobody else's. */
export const turnOf = (accountId: string): string => `outgoing ${accountId}`;

export interface RunningJobs {
  stop(): Promise<void>;
}

/** One of each lane listens. */
const CONNECTIONS = 6;

/** Works off the queue until stopped. A job that was running when the server was killed is done again. */
export async function startJobs(jobs: Jobs, connection: DatabaseConnection, logger: Logger): Promise<RunningJobs> {
  const ending = new AbortController();
  const pool = jobPool(connection, logger, CONNECTIONS);
  const runners: Runner[] = [];
  // One after the other: each looks after the tables of the queue first.
  for (const [lane, concurrency] of Object.entries(LANES) as [Lane, number][]) {
    const taskList: TaskList = Object.fromEntries(
      jobs.of(lane).map(([name, handle]) => [name, (payload: unknown) => handle(payload, ending.signal)]),
    );
    if (Object.keys(taskList).length === 0) continue;
    const items = lane === 'prompt' ? jobs.regular.map(({ name, cron }) => ({ task: name, match: cron })) : [];
    const runner = await run({
      pgPool: pool,
      taskList,
      parsedCronItems: parseCronItems(items),
      concurrency,
      noHandleSignals: true,
      logger: jobLogger(logger),
    });
    runner.promise.catch((error: unknown) => logger.error({ err: error, lane }, 'the job queue stopped'));
    runners.push(runner);
  }
  return {
    stop: async () => {
      ending.abort();
      await Promise.all(runners.map((runner) => runner.stop()));
      await pool.end();
    },
  };
}
