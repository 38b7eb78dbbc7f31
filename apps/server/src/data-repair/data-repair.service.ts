import { type RepairChannel, repairChannels } from '@sonnenwarte/contract/data-repair/corrections';
import { MOST_REPAIR_DAYS, REPAIR_STEP_MS, type repairEndpoints } from '@sonnenwarte/contract/data-repair/data-repair';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { EnergyChannel } from '@sonnenwarte/energy/accounting/channels';
import { correctedBucket, LONGEST_CORRECTION_MS } from '@sonnenwarte/energy/accounting/corrections';
import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import type { Scope } from '../access/scope.ts';
import { explained } from '../accounting/explained.ts';
import type { AccountedDevice } from '../accounting/recompute-windows.ts';
import { recordAudit } from '../audit/audit.ts';
import { entryAboutSite } from '../audit/entry-about.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import { plantCopy } from '../ingestion/registry/plant-copy.ts';
import type { SiteEntry } from '../ingestion/registry/plant-model.ts';
import { isAccounted } from '../ingestion/registry/site-devices.ts';
import type { Uses } from '../services.ts';
import { holdSite } from '../sites/prices.store.ts';
import { firstDayOf } from '../sites/site-energy.store.ts';
import { type SiteFrame, siteFrame } from '../sites/sites.store.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import {
  companyOf,
  correctionRows,
  countCorrections,
  devicesCalled,
  insertCorrection,
  plantName,
  undoCorrection,
} from './data-repair.store.ts';
import { type Filled, filled } from './filled.ts';
import { findingsOf, pointsOf, told } from './findings.ts';
import { changesBy } from './preview.ts';
import { tellingChannels } from './told-energy.ts';

type Repair = typeof repairEndpoints;
type Stores = Uses<'db' | 'telemetry' | 'nowMs'>;
type Asked = Parsed<Repair['preview']>;

/** Of one device. */
const MOST_CORRECTIONS = 100;

const refusedField = (path: string, reason: string) =>
  new CallError('refusedInput', { fields: [{ path, reason, params: {} }] });

interface Plant {
  frame: SiteFrame;
  site: SiteEntry;
}

/** A plant in scope, with a copy of what ingestion holds of it. */
async function plantOf({ db }: Uses<'db'>, scope: Scope, stationID: string): Promise<Plant> {
  const frame = found(await siteFrame(db, scope, stationID), 'siteNotFound');
  return { frame, site: found(await plantCopy(db, frame.id), 'siteNotFound') };
}

function deviceOf({ devices }: SiteEntry, id: string): AccountedDevice {
  const device = [...devices].find((each) => each.id === id);
  if (device === undefined || !isAccounted(device)) throw new CallError('deviceNotFound');
  return device;
}

/** The counters of a plant. */
export async function countersOf(
  stores: Stores,
  { stationID }: Parsed<Repair['counters']>,
  { scope }: Scoped,
): Promise<Result<Repair['counters']>> {
  const { db, telemetry, nowMs } = stores;
  const { frame, site } = await plantOf(stores, scope, stationID);
  const devices = [...site.devices].filter((device) => device.key > 0 && isAccounted(device));
  const [channels, called, name, firstDay] = await Promise.all([
    tellingChannels(telemetry, devices),
    devicesCalled(db, frame.id),
    plantName(db, frame.id),
    firstDayOf(telemetry, frame),
  ]);
  const counters = devices.flatMap((device) => {
    const telling = channels.get(device.key) ?? new Set<RepairChannel>();
    const deviceType = called.get(device.id) ?? '';
    return repairChannels
      .filter((channel) => telling.has(channel))
      .map((channel) => ({ deviceID: device.id, channel, deviceSN: device.sn, deviceType }));
  });
  counters.sort((a, b) => repairChannels.indexOf(a.channel) - repairChannels.indexOf(b.channel));
  return { name, ianaTimezone: site.zone, today: localDay(nowMs(), site.zone), firstDay, counters };
}

/** A counter over some days, explained by the accounting itself. */
export async function seriesOf(
  stores: Stores,
  { stationID, deviceID, channel, from, to }: Parsed<Repair['series']>,
  { scope }: Scoped,
): Promise<Result<Repair['series']>> {
  const { frame, site } = await plantOf(stores, scope, stationID);
  const device = deviceOf(site, deviceID);
  const startMs = dayBounds(from, site.zone).startMs;
  const endMs = dayBounds(to, site.zone).endMs;
  if (endMs <= startMs) throw refusedField('to', 'too_small');
  if (endMs - startMs > (MOST_REPAIR_DAYS + 0.5) * 86_400_000) throw refusedField('to', 'too_big');
  const span = { fromMs: startMs, toMs: Math.min(endMs, Math.max(startMs + REPAIR_STEP_MS, stores.nowMs())) };
  const { samples, buckets, events } = await explained({ client: stores.telemetry }, device, span);
  const readings = samples.flatMap(({ tsMs, counters }) => {
    const wh = counters[channel];
    return wh === undefined || tsMs > span.toMs ? [] : [{ tsMs, wh }];
  });
  const own = device.corrections.filter((each) => each.channel === channel);
  const energies = new Map<number, number>();
  for (let atMs = span.fromMs; atMs < span.toMs; atMs += REPAIR_STEP_MS) {
    const wh = correctedBucket(buckets.get(atMs), atMs, own)?.energyWh[channel];
    if (wh !== undefined) energies.set(atMs, wh);
  }
  const ofChannel = events.filter((event) => event.channel === (channel satisfies EnergyChannel));
  return {
    startMs,
    endMs,
    points: pointsOf(readings, energies, span),
    findings: findingsOf(ofChannel, readings, energies, span),
    corrections: await correctionRows(stores.db, scope, frame.id, { deviceId: device.id, channel, ...span }),
    recalculating: frame.isRecalculated,
  };
}

interface Tried extends Plant {
  device: AccountedDevice;
  fill: Filled;
}

/** What a span would be filled with; refuses one that is none, or of which something is corrected already. */
async function tried(stores: Stores, asked: Asked, scope: Scope): Promise<Tried> {
  const { channel, fromMs, toMs } = asked;
  const plant = await plantOf(stores, scope, asked.stationID);
  const device = deviceOf(plant.site, asked.deviceID);
  const isWhole = fromMs % REPAIR_STEP_MS === 0 && toMs % REPAIR_STEP_MS === 0;
  if (!isWhole || toMs <= fromMs || toMs - fromMs > LONGEST_CORRECTION_MS || toMs > stores.nowMs())
    throw new CallError('correctionSpan');
  // Of the time before it was recorded a plant has no figures that could be wrong.
  const firstDay = await firstDayOf(stores.telemetry, plant.frame);
  if (firstDay === null || fromMs < dayBounds(firstDay, plant.site.zone).startMs) throw new CallError('correctionSpan');
  if (asked.way === 'own' && asked.energyWh === undefined) throw refusedField('energyWh', 'required');
  const rows = await correctionRows(stores.db, scope, plant.frame.id, { deviceId: device.id, channel, fromMs, toMs });
  const [other] = rows;
  if (other !== undefined) throw new CallError('correctionOverlaps', other);
  return { ...plant, device, fill: await filled(stores.telemetry, plant.site, device, asked) };
}

const energyOf = ({ partsWh }: Filled): number | null =>
  partsWh === null ? null : told(partsWh.reduce((sum, wh) => sum + wh, 0));

/** What the figures would be. */
export async function previewOf(stores: Stores, asked: Asked, { scope }: Scoped): Promise<Result<Repair['preview']>> {
  const { frame, site, device, fill } = await tried(stores, asked, scope);
  const changes = await changesBy(stores, frame, site, { device, filling: asked, ...fill }, stores.nowMs());
  return {
    formerWh: fill.formerWh === null ? null : told(fill.formerWh),
    energyWh: energyOf(fill),
    basis: fill.basis,
    ...changes,
  };
}

/** Corrects a span: what depends on it is made anew by itself, triggers ask for it. */
export async function correctSpan(
  stores: Stores,
  asked: Parsed<Repair['correct']>,
  context: CallContext,
): Promise<Result<Repair['correct']>> {
  const { scope, actor } = context;
  const { frame, site, device, fill } = await tried(stores, asked, scope);
  const { days } = await changesBy(stores, frame, site, { device, filling: asked, ...fill }, stores.nowMs());
  const { channel, fromMs, toMs, way, reason } = asked;
  return inTransaction(stores.db, async (tx) => {
    const held = found(await holdSite(tx, scope, frame.id), 'siteNotFound');
    const [other] = await correctionRows(tx, scope, held.id, { deviceId: device.id, channel, fromMs, toMs });
    if (other !== undefined) throw new CallError('correctionOverlaps', other);
    if ((await countCorrections(tx, device.id)) >= MOST_CORRECTIONS) throw refusedField('fromMs', 'too_big');
    const correctionID = await insertCorrection(tx, {
      device_id: device.id,
      channel,
      from_at: new Date(fromMs),
      to_at: new Date(toMs),
      way,
      parts_wh: fill.partsWh,
      former_wh: fill.formerWh,
      days,
      reason,
      made_by_name: actor.username,
      made_by_company: await companyOf(tx, actor.organisationID),
    });
    await recordAudit(tx, context, {
      ...(await entryAboutSite(tx, held)),
      action: 'data-repair.correct',
      before: { energyWh: fill.formerWh },
      after: { ...spanOf(device.sn, channel, asked), way, energyWh: energyOf(fill), reason },
    });
    return { correctionID };
  });
}

const spanOf = (deviceSN: string, channel: string, { fromMs, toMs }: { fromMs: number; toMs: number }) => ({
  deviceSN,
  channel,
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
});

/** Takes a correction back. */
export async function undoSpan(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { stationID, correctionID }: Parsed<Repair['undo']>,
  context: CallContext,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const held = found(await holdSite(tx, context.scope, stationID), 'siteNotFound');
    const row = found(await undoCorrection(tx, held.id, correctionID, new Date(nowMs())), 'correctionNotFound');
    const span = { fromMs: row.from_at.getTime(), toMs: row.to_at.getTime() };
    await recordAudit(tx, context, {
      ...(await entryAboutSite(tx, held)),
      action: 'data-repair.undo',
      before: { ...spanOf(row.sn, row.channel, span), way: row.way, reason: row.reason },
    });
  });
}

/** What has been corrected of a plant, for who sees it. */
export async function correctionsOfPlant(
  { db }: Uses<'db'>,
  { stationID }: Parsed<Repair['corrections']>,
  { scope }: Scoped,
): Promise<Result<Repair['corrections']>> {
  const frame = found(await siteFrame(db, scope, stationID), 'siteNotFound');
  return { ianaTimezone: frame.timeZone, corrections: await correctionRows(db, scope, frame.id) };
}
