import type { DeviceKind } from '@sonnenwarte/device-protocol/points/points';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';
import type { DemoFleet } from './demo-fleet.ts';

type Db = Kysely<Database>;

const DAY_MS = 86_400_000;
/** A plant is commissioned so long after its devices were delivered, by turns. */
const DAYS_ON_THE_SHELF = [24, 38, 55] as const;
const DAYS_FROM_MAKING = 45;
/** Not connected yet after half a year, and on their way. */
const NEVER_SEEN = [
  { model: 'SW-H10T', prefix: 'H10T', count: 22, daysAgo: 190 },
  { model: 'SW-H8T', prefix: 'H8T', count: 16, daysAgo: 9 },
] as const;

const makers = {
  sonnwerk: {
    id: '7d0c0f4e-5a51-4c6e-9b0e-3f6f0b1d0001',
    name: 'Sonnwerk Elektronik GmbH',
    country: 'DE',
    contact: 'Fertigung, fertigung@sonnwerk.example',
  },
  lumera: {
    id: '7d0c0f4e-5a51-4c6e-9b0e-3f6f0b1d0002',
    name: 'Lumera Energy Storage Co., Ltd.',
    country: 'CN',
    contact: 'oem@lumera.example',
  },
  mesura: {
    id: '7d0c0f4e-5a51-4c6e-9b0e-3f6f0b1d0003',
    name: 'Mesura Contadores S.A.',
    country: 'ES',
    contact: 'calidad@mesura.example',
  },
} as const;
const makerIds = Object.values(makers).map(({ id }) => id);

const makerOf = (kind: DeviceKind): string =>
  kind === 'battery' ? makers.lumera.id : kind === 'meter' ? makers.mesura.id : makers.sonnwerk.id;

interface DemoUnit {
  readonly kind: DeviceKind;
  readonly model: string;
  readonly sn: string;
  readonly odmSn: string;
  readonly firmware: string;
  readonly deliveredOn: string;
  /** Undefined: it was never heard. */
  readonly seenOn: string | undefined;
}

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

/** The devices and dataloggers of the demonstration as they left the factory, and some that were never connected. */
function unitsOf(fleet: DemoFleet, nowMs: number): DemoUnit[] {
  const connected = fleet.plants.flatMap(({ commissionedOn, loggers }, at) => {
    const deliveredOn = dayBefore(commissionedOn, DAYS_ON_THE_SHELF[at % DAYS_ON_THE_SHELF.length] ?? 0);
    const known = { deliveredOn, seenOn: commissionedOn };
    return loggers.flatMap(({ sn, model, firmware, devices }): DemoUnit[] => [
      { kind: 'logger', model, sn, odmSn: '', firmware, ...known },
      ...devices.map(({ kind, model, sn, odmSn, versions }) => ({
        kind,
        model,
        sn: sn.toUpperCase(),
        odmSn,
        firmware: versions.master,
        ...known,
      })),
    ]);
  });
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const never = NEVER_SEEN.flatMap(({ model, prefix, count, daysAgo }) =>
    Array.from({ length: count }, (_, at): DemoUnit => {
      const deliveredOn = dayBefore(today, daysAgo);
      const place = String(at + 1).padStart(5, '0');
      const sn = `${prefix}${deliveredOn.slice(2, 7).replace('-', '')}N${place}`;
      return { kind: 'inverter', model, sn, odmSn: `ODM9${place}`, firmware: '3.14.2', deliveredOn, seenOn: undefined };
    }),
  );
  return [...connected, ...never];
}

/** Units of a model that were delivered in a year are one batch. */
function batchesOf(units: readonly DemoUnit[]): ReadonlyMap<string, readonly DemoUnit[]> {
  const batches = new Map<string, DemoUnit[]>();
  for (const unit of units) {
    const number = `${unit.model.replace('SW-', '')}-${unit.deliveredOn.slice(0, 4)}${unit.seenOn === undefined ? unit.deliveredOn.slice(5, 7) : ''}`;
    batches.set(number, [...(batches.get(number) ?? []), unit]);
  }
  return batches;
}

const terms: Readonly<
  Partial<
    Record<DeviceKind, { months: number; begins: 'delivery' | 'firstSeen' | 'commissioning'; latest: number | null }>
  >
> = {
  inverter: { months: 60, begins: 'commissioning', latest: 12 },
  battery: { months: 120, begins: 'firstSeen', latest: 6 },
  logger: { months: 36, begins: 'delivery', latest: null },
  meter: { months: 24, begins: 'delivery', latest: null },
};

/** Makers, batches and delivered units of the demonstration's devices, with the warranty of their models. */
export async function seedFactory(db: Db, fleet: DemoFleet, nowMs: number): Promise<void> {
  const units = unitsOf(fleet, nowMs);
  await db.insertInto('manufacturers').values(Object.values(makers)).execute();
  const models = new Map(units.map(({ model, kind }) => [model, kind]));
  for (const [model, kind] of models) {
    const term = terms[kind];
    if (term === undefined) continue;
    const { months, begins, latest } = term;
    const manufacturer_id = makerOf(kind);
    await db
      .insertInto('model_warranties')
      .values({ model, kind, manufacturer_id, months, begins, latest_months: latest })
      .execute();
  }
  for (const [number, of] of batchesOf(units)) {
    const [first] = [...of].sort((one, other) => (one.deliveredOn < other.deliveredOn ? -1 : 1));
    if (first === undefined) continue;
    const { id } = await db
      .insertInto('device_batches')
      .values({
        manufacturer_id: makerOf(first.kind),
        number,
        kind: first.kind,
        model: first.model,
        firmware: first.firmware,
        made_on: dayBefore(first.deliveredOn, DAYS_FROM_MAKING),
        delivered_on: first.deliveredOn,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    // Its plants are older than this portal: they were first heard when they were commissioned.
    await sql`insert into delivered_units (sn, odm_sn, batch_id, model, firmware, delivered_on, seen_at)
      select r.sn, r."odmSn", ${id}, r.model, r.firmware, r."deliveredOn", r."seenOn" + interval '10 hours'
      from json_to_recordset(${JSON.stringify(of)}::json)
        as r (sn text, "odmSn" text, model text, firmware text, "deliveredOn" date, "seenOn" date)`.execute(db);
  }
}

/** Removes them, with what was added to their makers. */
export async function removeFactory(tx: Transaction<Database>): Promise<void> {
  const batches = tx.selectFrom('device_batches').select('id').where('manufacturer_id', 'in', makerIds);
  // Runs keep by name what they were of.
  await tx.updateTable('burn_in_runs').set({ batch_id: null }).where('batch_id', 'in', batches).execute();
  await tx.deleteFrom('delivered_units').where('batch_id', 'in', batches).execute();
  await tx.deleteFrom('device_batches').where('manufacturer_id', 'in', makerIds).execute();
  await tx.deleteFrom('manufacturers').where('id', 'in', makerIds).execute();
}
