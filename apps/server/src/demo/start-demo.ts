import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { recordPlatform } from '../audit/platform.ts';
import type { Database } from '../stores/schema.ts';
import { type SupervisedChild, superviseChild } from '../supervision/child.ts';
import { demoFleetFile, readDemoFleet, simulatorFolder } from './demo-fleet.ts';
import { rackFile, readRackFacts, renewRackPassword, seedRack } from './rack.ts';
import { demoCredentials, seedDemo } from './seed.ts';

/** Told in full before what lies further back: the last thirty days, or of no month at all the last day. */
export const demoHistoryDays = (months: number): number => (months === 0 ? 1 : 30);
const dayMs = 86_400_000;
/** The simulator itself sends what its loggers have kept so long. */
const SHORT_GAP_MS = 6 * 60_000;
/** A demonstration of one month tells its days alone. */
const MONTH_DAYS = 365 / 12;
const historyName = 'demo.history';

export interface DemoOptions {
  readonly db: Kysely<Database>;
  readonly telemetry: ClickHouseClient;
  readonly dataDir: string;
  readonly mqttPort: number;
  readonly logger: Logger;
  /** Of how many months the plants tell. */
  readonly months: number;
  /** Not called when there is none to send. */
  readonly onHistory: ToldHistory;
}

/** Called with 0 to 1 while the history is sent: the last days, and what was in the months before. */
export type ToldHistory = (progress: number, months?: number) => void;

interface HistoryState {
  /** Until when the demo's plants are known to have spoken. */
  untilMs: number;
  /** What follows of the first history has not been told yet. */
  isUnderWay?: boolean;
}

/** Makes the demonstration's accounts and plants; answers the file with the passwords of its loggers. */
export async function seedDemoPlants(db: Kysely<Database>, dataDir: string): Promise<string> {
  const fleet = readDemoFleet();
  const credentialsFile = path.join(dataDir, 'demo-loggers.json');
  const known = await db.selectFrom('accounts').select('id').where('demo', '=', true).limit(1).executeTakeFirst();
  await seedDemo(db, fleet, demoCredentials(credentialsFile, fleet));
  if (known === undefined) await recordPlatform(db, 'platform.seedDemo', { sites: fleet.plants.length });
  return credentialsFile;
}

/** Makes the demonstration's accounts and plants, then starts the simulator, which speaks for their dataloggers. */
export async function startDemo(options: DemoOptions): Promise<SupervisedChild> {
  const { db, telemetry, dataDir, mqttPort, logger, months, onHistory } = options;
  const credentialsFile = await seedDemoPlants(db, dataDir);
  await startRack(db, telemetry, credentialsFile);
  const historyDays = demoHistoryDays(months);
  let untoldFromMs = await untoldSince(db, historyDays);
  let noted = Promise.resolve();
  const note = (state: HistoryState) => {
    noted = noted
      .then(() => rememberHistory(db, state))
      .catch((error: unknown) => logger.error({ err: error }, 'demo history cannot be noted'));
  };
  const daysLeft = () => (untoldFromMs === undefined ? 0 : (Date.now() - untoldFromMs) / dayMs);
  const args = () => [
    // What it computed and sent is let go of soon.
    ...['--heap-growing-percent=50', '--max-semi-space-size=4'],
    path.join(simulatorFolder, 'src/main.ts'),
    ...['--fleet', demoFleetFile],
    ...['--rack', rackFile],
    ...['--mqtt', `mqtt://127.0.0.1:${mqttPort}`],
    ...['--credentials', credentialsFile],
    ...['--control', path.join(dataDir, 'simulator.sock')],
    ...['--interval', '10'],
    ...(months > 1 ? ['--past-days', String(Math.round(months * MONTH_DAYS))] : []),
    ...(untoldFromMs === undefined ? [] : ['--history-days', Math.min(historyDays, daysLeft()).toFixed(3)]),
  ];
  return superviseChild(
    {
      name: 'simulator',
      command: process.execPath,
      args,
      channel: true,
      pidFile: path.join(dataDir, 'simulator.pid'),
      stop: [{ signal: 'SIGTERM', waitMs: 3_000 }],
      memoryLimitBytes: 600 * 1024 * 1024,
      readyTimeoutMs: 30_000,
      ready: async (child) => {
        if (!child.stdout) return;
        createInterface({ input: child.stdout }).on('line', (line) => {
          const told = progressOf(line);
          if (told === undefined) return;
          if ('past' in told) {
            onHistory(told.past, months);
            return;
          }
          const isUnderWay = told.progress < 1;
          untoldFromMs = isUnderWay ? told.untilMs : undefined;
          note({ untilMs: told.untilMs, isUnderWay });
          onHistory(isUnderWay ? Math.max(0, 1 - daysLeft() / historyDays) : 1, months === 0 ? 0 : undefined);
        });
      },
    },
    logger,
  );
}

/** The factory's rack and its password, which the simulator finds beside those of the plants. */
async function startRack(db: Kysely<Database>, telemetry: ClickHouseClient, credentialsFile: string): Promise<void> {
  await seedRack(db, telemetry, Date.now());
  const { sn } = readRackFacts();
  const { [sn]: password } = JSON.parse(readFileSync(credentialsFile, 'utf8')) as Record<string, string>;
  if (password !== undefined) await renewRackPassword(db, sn, password);
}

interface Progress {
  progress: number;
  /** Until when all plants have told their history. */
  untilMs: number;
}

/** How much of what was before the history has been told. */
interface PastProgress {
  past: number;
}

function progressOf(line: string): Progress | PastProgress | undefined {
  if (!/^{"(progress|past)":/.test(line)) return undefined;
  try {
    const { progress, untilMs, past } = JSON.parse(line) as Record<keyof (Progress & PastProgress), unknown>;
    if (typeof past === 'number') return { past };
    return typeof progress === 'number' && typeof untilMs === 'number' ? { progress, untilMs } : undefined;
  } catch {
    return undefined;
  }
}

/** From when the demo's plants have still to tell, at most so many days; what was sent twice is stored once. */
async function untoldSince(db: Kysely<Database>, historyDays: number): Promise<number | undefined> {
  const state = await db.selectFrom('process_state').select('value').where('name', '=', historyName).executeTakeFirst();
  const seen = await db
    .selectFrom('loggers')
    .innerJoin('sites', 'sites.id', 'loggers.site_id')
    .select((eb) => eb.fn.max('loggers.last_seen_at').as('at'))
    .where('sites.demo', '=', true)
    .executeTakeFirst();
  const earliestMs = Date.now() - historyDays * dayMs;
  const told = state?.value as HistoryState | undefined;
  if (!told) return earliestMs;
  if (told.isUnderWay) return Math.max(told.untilMs, earliestMs);
  const untilMs = Math.max(told.untilMs, seen?.at?.getTime() ?? 0);
  return Date.now() - untilMs < SHORT_GAP_MS ? undefined : Math.max(untilMs, earliestMs);
}

async function rememberHistory(db: Kysely<Database>, state: HistoryState): Promise<void> {
  const value = JSON.stringify(state);
  await db
    .insertInto('process_state')
    .values({ name: historyName, value, updated_at: new Date() })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updated_at: new Date() }))
    .execute();
}
