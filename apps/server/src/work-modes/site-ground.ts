import type { ClickHouseClient } from '@clickhouse/client';
import type { ToldPlan } from '@sonnenwarte/contract/work-modes/plan';
import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import { type Tariff, tariffSpans } from '@sonnenwarte/energy/accounting/money';
import { storageModel } from '@sonnenwarte/energy/plan/measured-storage';
import { bucketPrices } from '@sonnenwarte/energy/plan/plan-money';
import type { ProposalGround } from '@sonnenwarte/energy/plan/proposals';
import { openingOf } from '@sonnenwarte/energy/plan/recorded-span';
import { type RanAs, type RanAt, recordedSurplus } from '@sonnenwarte/energy/plan/recorded-surplus';
import type { StorageModel } from '@sonnenwarte/energy/plan/replay';
import type { Kysely } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { found } from '../http/call-error.ts';
import { tariffsOf } from '../sites/prices.store.ts';
import { type SiteFrame, siteFrame } from '../sites/sites.store.ts';
import type { Database } from '../stores/schema.ts';
import type { PlanRecord, PlanRecords } from './plan-records.ts';
import { batteryPlan, planOf, type SettingValues } from './plan-settings.ts';
import { formerSettings, settingsBefore } from './settings-then.ts';
import { knownStorage, type Takers, takersOf } from './takers.ts';
import { planDevices } from './work-modes.store.ts';

export interface GroundStores {
  readonly db: Kysely<Database>;
  readonly telemetry: ClickHouseClient;
  readonly nowMs: () => number;
  readonly records: PlanRecords;
}

/** A plant as plans are made for it. */
export interface SiteGround {
  readonly site: SiteFrame;
  readonly takers: Takers;
  /** Settings and plan of the first of them, as it told them. */
  readonly reported: SettingValues;
  readonly plan: ToldPlan | null;
  readonly tariffs: Tariff[];
}

export async function siteGround(
  { db, nowMs }: Pick<GroundStores, 'db' | 'nowMs'>,
  scope: Scope,
  stationID: string,
): Promise<SiteGround> {
  const site = found(await siteFrame(db, scope, stationID), 'siteNotFound');
  const [devices, tariffs] = await Promise.all([planDevices(db, scope, [site.id], nowMs()), tariffsOf(db, site.id)]);
  const takers = takersOf(devices);
  const reported = takers.devices[0]?.reported ?? new Map();
  return { site, takers, reported, plan: planOf(reported), tariffs };
}

const ROUNDED_W = 1_000_000_000;

/** The battery of a plant by the record of its last month, else as it was made; null where it has none. */
export function modelOf({ takers }: SiteGround, { measured }: PlanRecord): StorageModel | null {
  const known = knownStorage(takers);
  const model = storageModel({ ...known, ratedAcW: Math.min(known.ratedAcW, ROUNDED_W) }, measured);
  return model.capacityWh > 0 ? model : null;
}

/** How the battery of a plant was run in each bucket of a record: by what its device told at that time, as far as changes of it are kept. */
async function ranAtOf(
  { db }: Pick<GroundStores, 'db'>,
  { takers, reported }: SiteGround,
  { startMs }: PlanRecord,
  model: StorageModel,
  otherwise: ToldPlan,
): Promise<RanAt> {
  const [device] = takers.devices;
  const former = device === undefined ? [] : await formerSettings(db, device.id, startMs);
  const ranAs = (values: SettingValues): RanAs => {
    const { mode, minSoc } = planOf(values) ?? otherwise;
    const { exportLimitW } = batteryPlan(otherwise, values, model.ratedAcW);
    return { ...model, mode, exportLimitW, minSocPercent: minSoc };
  };
  const now = ranAs(reported);
  const before = settingsBefore(reported, former).map(({ values, untilMs }) => ({ ran: ranAs(values), untilMs }));
  return (place) => before.findLast(({ untilMs }) => startMs + place * BUCKET_MS < untilMs)?.ran ?? now;
}

/** What a plan is replayed on; null where the plant has no battery, or too little is recorded to tell anything. */
export async function proposalGround(
  stores: Pick<GroundStores, 'db'>,
  ground: SiteGround,
  record: PlanRecord,
  model: StorageModel | null,
  plan: ToldPlan,
): Promise<ProposalGround | null> {
  const { span, samples } = record;
  const opening = openingOf(span, record.socBefore);
  if (model === null || opening === null || record.wholeDays === 0) return null;
  const ranAt = await ranAtOf(stores, ground, record, model, plan);
  const bounds = { startMs: record.startMs, endMs: record.startMs + span.length * BUCKET_MS };
  return {
    record: { ...span, surplus: recordedSurplus(span, ranAt, samples) },
    model,
    opening,
    prices: bucketPrices(tariffSpans(ground.tariffs, record, ground.site.timeZone), bounds),
    plan: batteryPlan(plan, ground.reported, model.ratedAcW),
  };
}
