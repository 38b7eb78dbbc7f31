import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { burnInLimits, type LoadStep, stepAt } from '@sonnenwarte/contract/burn-in/plan';
import { pointByName } from '@sonnenwarte/device-protocol/points/points';
import { type Kysely, sql, type Transaction } from 'kysely';
import * as z from 'zod/mini';
import type { Database } from '../stores/schema.ts';
import { rawTableOf } from '../stores/telemetry-tables.ts';
import { simulatorFolder } from './demo-fleet.ts';

type Tx = Transaction<Database>;

const rackFacts = z.object({
  sn: z.string(),
  inverters: z.array(z.object({ sn: z.string(), ratedW: z.number(), behaviour: z.string() })),
});
type RackFacts = z.infer<typeof rackFacts>;

export const rackFile = path.join(simulatorFolder, 'fleets/rack.json');
export const readRackFacts = (): RackFacts => rackFacts.parse(JSON.parse(readFileSync(rackFile, 'utf8')));

const MINUTE_MS = 60_000;
const MODEL = 'HX-10K';
const about = { rack: 'A1', batch: 'HP-26-11', manufacturer: 'Hanse Power', model: MODEL } as const;
/** As it was told each half minute. */
const TOLD_MS = 30_000;
const plans = {
  past: { name: 'Zwei Stunden Wechsellast', minutes: 120 },
  running: { name: 'Ein Tag Wechsellast', minutes: 24 * 60 },
} as const;
type RackPlan = (typeof plans)[keyof typeof plans];
/** The run that is over, by what each of its units did then. */
const past = ['steady', 'steady', 'hot', 'weak'] as const;
/** From which on units are in the run that is under way. */
const RUNNING_FROM = past.length;

const steps: LoadStep[] = [
  { minutes: 20, percent: 50 },
  { minutes: 40, percent: 100 },
];
const limits = burnInLimits.parse({
  minOutputPercent: 97,
  minEfficiencyPercent: 95,
  maxTemperatureC: 80,
  minVoltageV: 207,
  maxVoltageV: 253,
  minFrequencyHz: 47.5,
  maxFrequencyHz: 51.5,
  minInsulationKOhm: 500,
  maxSilenceMinutes: 10,
  failLevel: 3,
});

/** The rack's datalogger may speak with this password. */
export async function renewRackPassword(db: Kysely<Database>, sn: string, password: string): Promise<void> {
  const token_hash = createHash('sha256').update(password).digest();
  await db.updateTable('loggers').set({ token_hash }).where('sn', '=', sn).execute();
}

/** A rack of the factory with a run that is over, of which the telemetry is there to be judged, and one that has begun. Once. */
export async function seedRack(db: Kysely<Database>, telemetry: ClickHouseClient, nowMs: number): Promise<void> {
  const { sn, inverters } = readRackFacts();
  const isThere = await db.selectFrom('loggers').select('id').where('sn', '=', sn).executeTakeFirst();
  if (isThere !== undefined) return;
  const startMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS - (plans.past.minutes + 60) * MINUTE_MS;
  await db.transaction().execute(async (tx) => {
    const keys = await seedInverters(tx, sn, inverters);
    const rows = past.flatMap((did, place) => toldRows(keys[place] ?? 0, place, did, startMs));
    await telemetry.insert({ table: rawTableOf('inverter').name, values: rows, format: 'JSONEachRow' });
    const sns = inverters.map((each) => each.sn);
    await seedRun(tx, plans.past, sns.slice(0, past.length), startMs, false);
    await seedRun(tx, plans.running, sns.slice(RUNNING_FROM), nowMs, true);
  });
}

async function seedInverters(tx: Tx, sn: string, inverters: RackFacts['inverters']): Promise<number[]> {
  const { id: logger_id } = await tx
    .insertInto('loggers')
    .values({
      sn,
      site_id: null,
      organisation_id: null,
      token_hash: null,
      rssi_dbm: null,
      born_at: null,
      last_seen_at: null,
      revoked_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const made = await tx
    .insertInto('devices')
    .values(
      inverters.map((each) => ({
        sn: each.sn,
        logger_id,
        site_id: null,
        kind: 'inverter' as const,
        model: MODEL,
        rated_power_w: each.ratedW,
        capacity_wh: null,
        last_seen_at: null,
        deleted_at: null,
      })),
    )
    .returning(['sn', 'key'])
    .execute();
  return inverters.map((each) => made.find((device) => device.sn === each.sn)?.key ?? 0);
}

async function seedPlan(tx: Tx, { name, minutes }: RackPlan): Promise<string> {
  const { id } = await tx
    .insertInto('burn_in_plans')
    .values({
      name,
      duration_minutes: minutes,
      steps: JSON.stringify(steps),
      limits: JSON.stringify(limits),
    })
    .onConflict((conflict) => conflict.expression(sql`lower(name)`).doUpdateSet({ changed_at: new Date() }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function seedRun(
  tx: Tx,
  plan: RackPlan,
  sns: readonly string[],
  startMs: number,
  sets_load: boolean,
): Promise<void> {
  const plan_id = await seedPlan(tx, plan);
  const started_at = new Date(startMs);
  const { id: run_id } = await tx
    .insertInto('burn_in_runs')
    .values({
      ...about,
      plan_id,
      plan_name: plan.name,
      duration_minutes: plan.minutes,
      steps: JSON.stringify(steps),
      limits: JSON.stringify(limits),
      batch_id: null,
      sets_load,
      state: 'running',
      created_at: started_at,
      started_at,
      ends_at: new Date(startMs + plan.minutes * MINUTE_MS),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('burn_in_units')
    .values(sns.map((sn, place) => ({ run_id, position: place + 1, sn, attempt: 1, started_at })))
    .execute();
}

const columns = new Map(rawTableOf('inverter').numbers.map(({ point, column }) => [point.name, column]));

/** What a unit told in the run that is over. */
function toldRows(
  device: number,
  place: number,
  did: (typeof past)[number],
  startMs: number,
): Record<string, unknown>[] {
  return Array.from({ length: (plans.past.minutes * MINUTE_MS) / TOLD_MS }, (_, slot) => {
    const sinceMs = slot * TOLD_MS + 5_000;
    const minutes = sinceMs / MINUTE_MS;
    const asked = (stepAt(steps, plans.past.minutes * MINUTE_MS, sinceMs)?.percent ?? 0) / 100;
    const acW = 10_000 * asked * (did === 'weak' ? 0.93 : 0.995) * (1 + Math.sin(minutes + place) * 0.001);
    const values: Record<string, number> = {
      'AC/ActivePower': acW,
      'DC/Power': acW / 0.973,
      'Temp/Heatsink': 30 + 32 * asked * (1 - Math.exp(-minutes / 12)) + (did === 'hot' ? 0.6 * minutes : 0),
      'AC/L1/Voltage': 231 + Math.sin(minutes / 3 + place),
      'AC/L2/Voltage': 230 + Math.sin(minutes / 4 + place),
      'AC/L3/Voltage': 232 + Math.sin(minutes / 5 + place),
      'AC/Frequency': 50 + Math.sin(minutes / 7) * 0.02,
      'DC/InsulationResistance': 1_350 + Math.sin(minutes / 9 + place) * 40,
    };
    const ts = new Date(startMs + sinceMs).toISOString().replace('T', ' ').replace('Z', '');
    return { device, ts, received: ts, ...inSteps(values) };
  });
}

const inSteps = (values: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const column = columns.get(name);
      return column === undefined ? [] : [[column, Math.round(value * (pointByName('inverter', name)?.steps ?? 1))]];
    }),
  );

/** Removes the rack with its runs, plan and devices; answers the keys of these. */
export async function removeRack(tx: Tx): Promise<number[]> {
  const { sn, inverters } = readRackFacts();
  const sns = inverters.map((each) => each.sn);
  await tx
    .deleteFrom('burn_in_runs')
    .where('id', 'in', (eb) => eb.selectFrom('burn_in_units').select('run_id').where('sn', 'in', sns))
    .execute();
  await tx.deleteFrom('burn_in_plans').where('name', 'in', [plans.past.name, plans.running.name]).execute();
  const removed = await tx
    .deleteFrom('devices')
    .where('logger_id', 'in', (eb) => eb.selectFrom('loggers').select('id').where('sn', '=', sn))
    .returning('key')
    .execute();
  await tx.deleteFrom('loggers').where('sn', '=', sn).execute();
  return removed.map(({ key }) => key);
}
