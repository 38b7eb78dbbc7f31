import type { ClickHouseClient } from '@clickhouse/client';
import { areOnePlane } from '@sonnenwarte/contract/devices/string-rows';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import { type BelievedPv, believedPv } from '@sonnenwarte/energy/insight/counted-power';
import { credibleInverter } from '@sonnenwarte/energy/insight/credible-power';
import {
  clearnessOf,
  type ExpectedDay,
  expectedDay,
  type ModelArray,
  type PlantModel,
  SkyCache,
} from '@sonnenwarte/energy/insight/expected-power';
import { limitsInForce, type ToldLimits } from '@sonnenwarte/energy/insight/limit-in-force';
import { type PeerChoice, peerReference } from '@sonnenwarte/energy/insight/peers';
import { BUCKET_MS, type InverterDay, type PlantDay } from '@sonnenwarte/energy/insight/plant-day';
import { usualArrays } from '@sonnenwarte/energy/physics/usual-plant';
import type { Kysely } from 'kysely';
import { systemScope } from '../access/scope.ts';
import type { Database } from '../stores/schema.ts';
import { Turns } from '../turns.ts';
import { sizeKwpOf } from './believed-pv.ts';
import { countedSeries } from './counted-series.ts';
import {
  type DaySpan,
  devicesOfKind,
  exportLimits,
  inverterSeries,
  type SiteSeries,
  siteSeries,
  type ToldInverter,
  unknownSite,
  weatherSeries,
} from './day-readings.ts';
import { plantsBy, plantsThen } from './devices-then.ts';
import { isPlacedPlant, peersOf } from './peer-search.ts';
import {
  alarmsWithin,
  type InsightDevice,
  type InsightPlant,
  insightPlants,
  type PlacedPlant,
} from './plants.store.ts';

export interface DayStores {
  db: Kysely<Database>;
  telemetry: ClickHouseClient;
}

/** Whether a plant has no arrays of its own, so that their direction is assumed. */
export const isPlaneAssumed = ({ arrays }: Pick<InsightPlant, 'arrays'>): boolean => !arrays.some(({ kwp }) => kwp > 0);

/** Whether all modules of a plant face the same way. */
export const isOnePlane = ({ arrays }: InsightPlant): boolean => areOnePlane(arrays);

/**
 * Strings of a plant whose modules all face the same way share its size by their voltage, that is by their modules in series. Of any other plant
 * nobody says which string lies where.
 */
function withSizes(plant: InsightPlant, inverters: readonly ToldInverter[]): InverterDay[] {
  const strings = inverters.flatMap((each) => each.strings);
  const sumV = strings.reduce((sum, { voltageV }) => sum + voltageV, 0);
  if (!isOnePlane(plant) || !(sumV > 0)) return [...inverters];
  const kwp = plant.arrays.reduce((sum, each) => sum + Math.max(0, each.kwp), 0);
  return inverters.map((inverter) => ({
    ...inverter,
    strings: inverter.strings.map((each) => ({ ...each, array: 0, kwp: (kwp * each.voltageV) / sumV })),
  }));
}

/** The inverters' ratings where all tell theirs, else what was entered for the plant. */
function ratedAcOf({ devices, ratedPowerW }: InsightPlant): number | null {
  const ratings = devices.filter(({ kind }) => kind === 'inverter').map(({ ratedPowerW: watts }) => watts);
  const known = ratings.filter((watts) => watts !== null && watts > 0) as number[];
  if (known.length > 0 && known.length === ratings.length) return known.reduce((sum, watts) => sum + watts, 0);
  return ratedPowerW !== null && ratedPowerW > 0 ? ratedPowerW : null;
}

/** What is known of a plant by which it is held against the sun; undefined without a position. */
export function modelOf(plant: InsightPlant): PlantModel | undefined {
  if (!isPlacedPlant(plant)) return undefined;
  const { latitude, longitude, altitudeM, builtOn } = plant;
  return {
    place: { latitude, longitude, altitudeM },
    arrays: usualArrays(plant, latitude),
    ratedAcW: ratedAcOf(plant),
    commissionedMs: builtOn === null ? null : Date.parse(`${builtOn}T00:00:00Z`),
  };
}

/** The buckets of a local day, as far as a time. */
export function spanOf(day: string, zone: string, untilMs = Number.POSITIVE_INFINITY): DaySpan {
  const { startMs, endMs } = dayBounds(day, zone);
  return { startMs, count: Math.max(0, Math.floor((Math.min(endMs, untilMs) - startMs) / BUCKET_MS)) };
}

export interface ReadDay {
  plant: InsightPlant;
  day: PlantDay;
  /** What of its PV power is believed, and what its counters say. */
  believed: BelievedPv;
  peers: PeerChoice<PlacedPlant> | undefined;
}

/** Sun over towns, shared by all plants and days that are reckoned one after the other. */
const skies = new SkyCache();

const expectedOf = (plant: InsightPlant, { startMs, count }: DaySpan): ExpectedDay | null => {
  const model = modelOf(plant);
  return model === undefined ? null : expectedDay(model, skies.of(model.place, startMs, count));
};

/** The sun is far enough below the horizon that no light is left, degrees. */
const DARK_ZENITH_DEG = 96;

function believedOf(plant: InsightPlant, told: SiteSeries, could: ExpectedDay | null): BelievedPv {
  return believedPv({
    powerW: told.pvW,
    nameplate: { kwp: sizeKwpOf(plant), ratedAcW: ratedAcOf(plant) },
    counted: countedSeries(told, told.batteryW),
    isDark: (at) => (could?.sky.zenithDeg[at] ?? 0) > DARK_ZENITH_DEG,
  });
}

/** A span of some plants of one zone, with what their neighbours had of the light, read together. */
export async function readDays(
  { db, telemetry }: DayStores,
  asked: readonly InsightPlant[],
  span: DaySpan,
): Promise<ReadDay[]> {
  const endMs = span.startMs + span.count * BUCKET_MS;
  const peers = await peersOf(db, asked);
  const own = new Set(asked.map(({ id }) => id));
  const others = [...new Set([...peers.values()].flatMap(({ peers: chosen }) => chosen.map(({ peer }) => peer.id)))];
  const unread = await insightPlants(
    db,
    systemScope,
    others.filter((id) => !own.has(id)),
  );
  const around = plantsBy(unread, span);
  const [series, inverters, weather, limits, alarms] = await Promise.all([
    siteSeries(
      telemetry,
      [...asked, ...around].map(({ key }) => key),
      span,
    ),
    inverterSeries(telemetry, devicesOfKind(asked, 'inverter'), span),
    weatherSeries(telemetry, keysOf(devicesOfKind(asked, 'station')), span),
    exportLimits(telemetry, keysOf(devicesOfKind(asked, 'ems')), span),
    alarmsWithin(
      db,
      asked.map(({ id }) => id),
      { startMs: span.startMs, endMs },
    ),
  ]);
  const plants = await plantsThen(telemetry, asked, inverters, span);
  const turns = new Turns(1);
  const expected = new Map<string, ExpectedDay | null>();
  const light = new Map<string, Float64Array>();
  const believed = new Map<string, BelievedPv>();
  for (const plant of [...plants, ...around]) {
    const could = expectedOf(plant, span);
    expected.set(plant.id, could);
    const told = series.get(plant.key);
    if (told !== undefined) {
      const pv = believedOf(plant, told, could);
      believed.set(plant.id, pv);
      if (could !== null) light.set(plant.id, clearnessOf(could, pv.powerW, plant.profile?.level ?? 1));
    }
    if (turns.isOver) await turns.giveBack();
  }
  const days: ReadDay[] = [];
  for (const plant of plants) {
    const chosen = peers.get(plant.id);
    const curves = chosen?.peers.flatMap(({ peer }) => light.get(peer.id) ?? []) ?? [];
    const own5m = series.get(plant.key) ?? unknownSite(span.count);
    const ofKind = (kind: InsightDevice['kind']) => plant.devices.filter((device) => device.kind === kind);
    const could = expected.get(plant.id) ?? null;
    const pv = believed.get(plant.id) ?? believedOf(plant, own5m, could);
    const station = ofKind('station').flatMap(({ key }) => weather.get(key) ?? [])[0];
    days.push({
      plant,
      peers: chosen,
      believed: pv,
      day: {
        startMs: span.startMs,
        kwp: could?.kwp ?? sizeKwpOf(plant),
        expected: could,
        pvW: pv.powerW,
        gridW: own5m.gridW,
        loadW: own5m.loadW,
        batteryW: own5m.batteryW,
        battery:
          plant.batteryCapacityWh === null
            ? null
            : { capacityWh: plant.batteryCapacityWh, socPercent: own5m.socPercent },
        inverters: withSizes(
          plant,
          ofKind('inverter').flatMap(({ key }) => inverters.get(key) ?? []),
        ).map((inverter) => credibleInverter(inverter, pv.mostW)),
        alarms: alarms.get(plant.id) ?? [],
        ...limitsInForce(
          { gridW: own5m.gridW, pvW: own5m.pvW, expected: could },
          toldLimits(ofKind('inverter'), ofKind('ems').flatMap(({ key }) => limits.get(key) ?? [])[0] ?? null),
        ),
        // A sensor lies in the plane of the largest array, since none tells in which it does.
        sensor:
          station === undefined || could === null || station.planeWm2.every(Number.isNaN)
            ? null
            : { planeWm2: station.planeWm2, array: largestOf(could.model.arrays), moduleC: station.moduleC },
        ambientC: station?.ambientC ?? null,
        neighbours: chosen === undefined ? null : peerReference(curves, chosen.basis),
        profile: plant.profile,
      },
    });
    if (turns.isOver) await turns.giveBack();
  }
  return days;
}

/** What devices told of limits: of inverters that give less than they are rated for, all have to tell how much. */
function toldLimits(inverters: readonly InsightDevice[], inForceW: number | null): ToldLimits {
  const powers = inverters.map(({ ratedPowerW, powerLimitPercent }) =>
    ratedPowerW === null || powerLimitPercent === null ? null : (ratedPowerW * powerLimitPercent) / 100,
  );
  const isLowered = inverters.some(({ powerLimitPercent }) => powerLimitPercent !== null && powerLimitPercent < 100);
  return {
    inForceW,
    exportW: inverters.flatMap(({ exportLimitW }) => exportLimitW ?? []),
    powerW: isLowered && !powers.includes(null) ? powers.reduce<number>((sum, each) => sum + (each ?? 0), 0) : null,
  };
}

const keysOf = (devices: readonly InsightDevice[]): number[] => devices.map(({ key }) => key);

const largestOf = (arrays: readonly ModelArray[]): number =>
  arrays.reduce((best, { ratedW }, place) => (ratedW > (arrays[best]?.ratedW ?? 0) ? place : best), 0);
