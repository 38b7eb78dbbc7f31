import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { Written, workModeEndpoints } from '@sonnenwarte/contract/work-modes/work-modes';
import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import { pricesOf, tariffAt } from '@sonnenwarte/energy/accounting/money';
import { dayBounds, localDay, type TimeBounds } from '@sonnenwarte/energy/calendar';
import { planNow } from '@sonnenwarte/energy/plan/plan-reason';
import { weekMinuteOf } from '@sonnenwarte/energy/plan/recorded-span';
import type { StorageModel } from '@sonnenwarte/energy/plan/replay';
import { withoutNoise } from '@sonnenwarte/energy/rounding';
import { mayEdit, type Scope } from '../access/scope.ts';
import { found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import { type SiteNow, sitesNow } from '../sites/site-live.store.ts';
import { extremePrices } from './extreme-prices.ts';
import { planBounds } from './plan-bounds.ts';
import { batteryPlan, isSame, planOf, planSettings } from './plan-settings.ts';
import { planBuckets } from './recorded.store.ts';
import { modelOf, type SiteGround, siteGround } from './site-ground.ts';
import { expectedOf, type PlanParts } from './what-if.service.ts';
import { type PlanCommand, type PlanDevice, type PlanSite, planCommands, planSites } from './work-modes.store.ts';

type Calls = typeof workModeEndpoints;
type View = Result<Calls['view']>;

/** Commands that are done are shown for so long. */
export const SHOWN_COMMANDS_MS = 10 * 60_000;
/** What was told longer ago than so many report intervals, at least so long, says nothing of now. */
const LATE_INTERVALS = 3;
const LATE_AT_LEAST_MS = 5 * 60_000;
const QUARTER_MS = 3 * BUCKET_MS;
const MINUTE_MS = 60_000;

/** Owners, those who look after the plant, and those to whom it is shared with this right. */
export const mayWrite = (scope: Scope, site: PlanSite): boolean => mayEdit(scope, site) || site.mayByShare;

export const writtenOf = (command: PlanCommand): Written => ({
  commandID: command.id,
  deviceID: command.deviceId,
  deviceSN: command.deviceSn,
  state: command.state,
  code: command.code,
  message: command.message,
  createdMs: command.createdMs,
  waitsForDevice: command.state === 'queued' && !command.online,
});

const hasSamePlan = (one: PlanDevice, other: PlanDevice): boolean =>
  planSettings.every((name) => isSame(one.reported.get(name), other.reported.get(name)));

/** The plan as it was written here: what is wanted, in place of what the device has. */
function wantedOf(device: PlanDevice | undefined) {
  if (device === undefined || !planSettings.some((name) => device.desired.has(name))) return null;
  return planOf(new Map([...device.reported, ...device.desired]));
}

function nowOf(ground: SiteGround, live: SiteNow | undefined, model: StorageModel | null, tsMs: number): View['now'] {
  const { plan, reported, site } = ground;
  if (plan === null || model === null || live?.ts == null || live.battery_w === null || live.soc_percent === null)
    return null;
  // What nobody measures is no 0: the sentence would name a reason that is none.
  if (live.load_w === null || live.grid_w === null) return null;
  if (tsMs - live.ts.getTime() > Math.max(LATE_AT_LEAST_MS, LATE_INTERVALS * live.interval_s * 1_000)) return null;
  const at = {
    batteryW: live.battery_w,
    socPercent: live.soc_percent,
    generationW: (live.pv_w ?? 0) + (live.external_w ?? 0),
    demandW: live.load_w + (live.charger_w ?? 0),
    gridW: live.grid_w,
  };
  const atMs = live.ts.getTime();
  const limits = { chargeW: model.maxChargeW, dischargeW: model.maxDischargeW, ratedW: model.ratedAcW };
  const battery = batteryPlan(plan, reported, model.ratedAcW);
  const told = planNow(battery, at, weekMinuteOf(atMs, site.timeZone), limits);
  const minuteMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
  return {
    atMs,
    does: told.does,
    why: told.why,
    ...at,
    period: told.period,
    nextMs: told.nextInMin === null ? null : minuteMs + told.nextInMin * MINUTE_MS,
    nextPeriod: told.nextPeriod,
  };
}

const quartersOf = ({ startMs, endMs }: TimeBounds): number[] =>
  Array.from({ length: Math.round((endMs - startMs) / QUARTER_MS) }, (_, place) => startMs + place * QUARTER_MS);

/** Work mode of a plant. */
export async function workModeOf(
  parts: PlanParts,
  { stationID }: Parsed<Calls['view']>,
  { scope }: Scoped,
): Promise<View> {
  const { db, telemetry, nowMs, records } = parts;
  const now = nowMs();
  const ground = await siteGround(parts, scope, stationID);
  const { site, takers, tariffs } = ground;
  const zone = site.timeZone;
  const bounds = dayBounds(localDay(now, zone), zone);
  const ids = takers.devices.map(({ id }) => id);
  const [[own], commands, [live], { buckets }, month, expected, planned] = await Promise.all([
    planSites(db, scope, [site.id]),
    planCommands(db, scope, ids, new Date(now - SHOWN_COMMANDS_MS)),
    sitesNow(db, scope, [site.id], now),
    planBuckets(db, telemetry, site, bounds),
    records.of(site, 'month'),
    expectedOf(parts, ground, scope),
    planBounds(db, ids, now),
  ]);
  const model = modelOf(ground, month);
  const [first] = takers.devices;
  const prices = quartersOf(bounds).map((tsMs) => {
    const { purchasePricePerKwh: purchase, feedInPricePerKwh: feedIn } = pricesOf(tariffAt(tariffs, tsMs), tsMs, zone);
    return { tsMs, purchase, feedIn };
  });
  return {
    stationName: site.name,
    ianaTimezone: zone,
    currency: tariffAt(tariffs, now).currency,
    capacityWh: model === null ? null : withoutNoise(model.capacityWh),
    devices: takers.devices.map(({ id, sn, kind, online }) => ({
      deviceID: id,
      deviceSN: sn,
      kind: kind === 'ems' ? 'ems' : 'inverter',
      online,
    })),
    reported: ground.plan,
    reportedMs: first?.reportedMs ?? null,
    differs: first !== undefined && takers.devices.some((device) => !hasSamePlan(first, device)),
    wanted: wantedOf(first),
    commands: commands.map(writtenOf),
    now: nowOf(ground, live, model, now),
    today: {
      startMs: bounds.startMs,
      endMs: bounds.endMs,
      recorded: buckets.map(({ tsMs, socPercent, demandWh, ...flows }) => {
        const surplusWh = flows.exportWh + flows.chargeWh - flows.importWh - flows.dischargeWh;
        const watts = (wh: number) => Math.round((Math.max(0, wh) * 3_600_000) / BUCKET_MS);
        return [tsMs + BUCKET_MS, socPercent, watts(surplusWh + demandWh), watts(demandWh)];
      }),
      expected: expected.quarters.map(({ tsMs, generationW, demandW }) => ({
        tsMs,
        generationW: Math.round(generationW),
        demandW: Math.round(demandW),
      })),
    },
    prices,
    tomorrow: extremePrices(tariffs, quartersOf(dayBounds(localDay(bounds.endMs, zone), zone)), zone),
    limits: {
      chargeW: Math.round(model?.maxChargeW ?? 0),
      dischargeW: Math.round(model?.maxDischargeW ?? 0),
      capacityWh: withoutNoise(model?.capacityWh ?? 0),
      efficiencyPercent: model === null ? 0 : 100 * model.chargeEfficiency * model.dischargeEfficiency,
      isMeasured: month.measured.capacityWh !== null,
    },
    bounds: planned,
    can: { write: takers.devices.length > 0 && mayWrite(scope, found(own, 'siteNotFound')) },
  };
}
