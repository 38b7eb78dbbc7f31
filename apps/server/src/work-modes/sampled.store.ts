import type { ClickHouseClient } from '@clickhouse/client';
import type { AttachedKind } from '@sonnenwarte/device-protocol/points/points';
import type { MeterRole } from '@sonnenwarte/energy/accounting/device-sample';
import type { TimeBounds } from '@sonnenwarte/energy/calendar';
import { laidOnSlots, MOST_APART_MS, type SampledPowers, SLOT_MS } from '@sonnenwarte/energy/plan/sampled-powers';
import type { Kysely } from 'kysely';
import { systemScope } from '../access/scope.ts';
import { visibleDevices } from '../device-rows/device-rows.store.ts';
import { entryOf } from '../ingestion/samples/entry-of.ts';
import { eachRowOf } from '../ingestion/samples/row-reader.ts';
import type { Database } from '../stores/schema.ts';
import { rawTable, toldOf } from '../stores/telemetry-tables.ts';

/** Plants of more devices are replayed from their five-minute energies. */
const MOST_TELLERS = 16;

/** Who is asked for a power, and by which point; `whole`: each of them tells that of the whole plant. */
interface Asked {
  readonly kind: AttachedKind;
  readonly name: string;
  readonly whole: boolean;
}

/** In the order in which energies of a plant are taken from its devices. */
const asked: Readonly<Record<'grid' | 'battery', readonly Asked[]>> = {
  grid: [
    { kind: 'meter', name: 'Meter/ActivePower', whole: false },
    { kind: 'ems', name: 'Ems/PlantGrid', whole: true },
    { kind: 'gateway', name: 'Ems/PlantGrid', whole: true },
  ],
  battery: [
    { kind: 'battery', name: 'Bat/Power', whole: false },
    { kind: 'ems', name: 'Ems/PlantBattery', whole: true },
    { kind: 'gateway', name: 'Ems/PlantBattery', whole: true },
  ],
};
/** Roles of meters that do not stand at the grid connection. */
const elsewhere: readonly MeterRole[] = ['pv', 'load', 'generator'];

/** Devices of a plant that tell of its grid or battery. What a plant did is the same for all who see it. */
const tellersOf = (db: Kysely<Database>, siteId: string) =>
  db
    .selectFrom('devices')
    .where(visibleDevices(systemScope))
    .where('site_id', '=', siteId)
    .where('kind', 'in', ['meter', 'battery', 'ems', 'gateway'])
    .where(({ eb, or, not }) => or([eb('kind', '!=', 'meter'), not(eb('role', 'in', elsewhere))]))
    .select(['key', 'kind'])
    .orderBy('key')
    .limit(MOST_TELLERS + 1)
    .execute();
type Teller = Awaited<ReturnType<typeof tellersOf>>[number];

/** Powers of devices in the slots of a span, each of which told any. */
async function laidPowers(
  telemetry: ClickHouseClient,
  keys: readonly number[],
  { kind, name }: Asked,
  span: TimeBounds,
): Promise<Float64Array[]> {
  const told = new Map<number, { timesMs: number[]; powerW: number[] }>();
  const [fromMs, toMs] = [span.startMs - MOST_APART_MS, span.endMs + MOST_APART_MS];
  await eachRowOf(
    telemetry,
    keys,
    (list) => `SELECT device, toInt64(avg(at)) AS middle, avg(power) FROM (
        SELECT device, toUnixTimestamp64Milli(ts) AS at, toFloat64(${toldOf(kind, { name })}) AS power FROM ${rawTable(kind)} FINAL
        WHERE device IN (${list}) AND ts >= fromUnixTimestamp64Milli(${fromMs}) AND ts < fromUnixTimestamp64Milli(${toMs}))
      WHERE isFinite(power) GROUP BY device, intDiv(at - 1, ${SLOT_MS}) ORDER BY device, middle
      SETTINGS do_not_merge_across_partitions_select_final = 1`,
    (rows) => {
      const { timesMs, powerW } = entryOf(told, rows.uint32(), () => ({ timesMs: [], powerW: [] }));
      timesMs.push(rows.int64());
      powerW.push(rows.float64());
    },
  );
  return [...told.values()].map(({ timesMs, powerW }) => laidOnSlots(timesMs, powerW, span));
}

/** The sum of powers; not known where one of them is not. */
function summed([first, ...others]: readonly Float64Array[]): Float64Array | null {
  if (first === undefined) return null;
  return first.map((watt, slot) => others.reduce((sum, each) => sum + (each[slot] as number), watt));
}

async function powerOf(
  telemetry: ClickHouseClient,
  tellers: readonly Teller[],
  classes: readonly Asked[],
  span: TimeBounds,
): Promise<Float64Array | null> {
  for (const each of classes) {
    const keys = tellers.filter(({ kind }) => kind === each.kind).map(({ key }) => key);
    if (keys.length === 0) continue;
    const power = summed(await laidPowers(telemetry, each.whole ? keys.slice(0, 1) : keys, each, span));
    if (power !== null) return power;
  }
  return null;
}

/** Powers of a plant at its grid connection and its batteries as its devices told them in a span of a day; undefined where one of them was told by nobody. */
export async function sampledPowers(
  db: Kysely<Database>,
  telemetry: ClickHouseClient,
  siteId: string,
  span: TimeBounds,
): Promise<SampledPowers | undefined> {
  const tellers = await tellersOf(db, siteId);
  if (tellers.length > MOST_TELLERS) return undefined;
  const [gridW, batteryW] = await Promise.all(
    [asked.grid, asked.battery].map((classes) => powerOf(telemetry, tellers, classes, span)),
  );
  return gridW && batteryW ? { gridW, batteryW } : undefined;
}
