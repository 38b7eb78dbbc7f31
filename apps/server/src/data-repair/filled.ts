import type { ClickHouseClient } from '@clickhouse/client';
import type { RepairChannel, RepairWay } from '@sonnenwarte/contract/data-repair/corrections';
import type { Preview } from '@sonnenwarte/contract/data-repair/data-repair';
import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import { ENERGY_CHANNELS } from '@sonnenwarte/energy/accounting/channels';
import {
  bucketsOfSpan,
  evenParts,
  linearParts,
  NEIGHBOUR_DAYS,
  partsByDays,
  partsByOthers,
  type Span,
  shapedParts,
} from '@sonnenwarte/energy/accounting/corrections';
import type { AccountedDevice } from '../accounting/recompute-windows.ts';
import { CallError } from '../http/call-error.ts';
import type { SiteEntry } from '../ingestion/registry/plant-model.ts';
import { knownReach } from '../ingestion/registry/site-devices.ts';
import { type ByBucket, energiesOf, readingsBeside } from './told-energy.ts';

export interface Filling extends Span {
  channel: RepairChannel;
  way: RepairWay;
  energyWh?: number | undefined;
}

/** What a span is given, and what counted of it before. */
export interface Filled {
  partsWh: number[] | null;
  basis: Preview['basis'];
  formerWh: number | null;
}

const HOUR_MS = 3_600_000;
const AROUND_MS = NEIGHBOUR_DAYS * 24 * HOUR_MS;
/** At the edges of a span, the energy of up to so many buckets says how it went on. */
const EDGE_BUCKETS = 3;

/** Fills a span of a device in one of the four ways; refuses one that nothing is known for. */
export async function filled(
  telemetry: ClickHouseClient,
  site: SiteEntry,
  device: AccountedDevice,
  filling: Filling,
): Promise<Filled> {
  const { channel, way } = filling;
  const others = [...site.devices].filter(
    (each) => each !== device && each.kind === device.kind && each.role === device.role,
  );
  const around = { fromMs: filling.fromMs - AROUND_MS, toMs: filling.toMs + AROUND_MS };
  const energies = await energiesOf(telemetry, [device, ...others], channel, around);
  const own = energies.get(device.key) ?? new Map<number, number>();
  const former = [...own].filter(([atMs]) => atMs >= filling.fromMs && atMs < filling.toMs).map(([, wh]) => wh);
  const formerWh = former.length === 0 ? null : former.reduce((sum, wh) => sum + wh, 0);
  if (way === 'gap') return { partsWh: null, basis: null, formerWh };
  if (way === 'bridge') return { partsWh: await bridged(telemetry, device, filling, own), basis: null, formerWh };
  const all = sumOf(others.map(({ key }) => energies.get(key) ?? new Map<number, number>()));
  const byOthers = partsByOthers(own, all, filling);
  const parts = byOthers ?? partsByDays(own, filling);
  if (way === 'neighbours') {
    if (parts === undefined) throw new CallError('noNeighbours');
    return { partsWh: parts, basis: byOthers === undefined ? 'days' : 'devices', formerWh };
  }
  const energyWh = filling.energyWh ?? 0;
  const partsWh = parts === undefined ? evenParts(energyWh, bucketsOfSpan(filling)) : shapedParts(energyWh, parts);
  return { partsWh, basis: null, formerWh };
}

/** Of buckets that all of them told that told any. */
function sumOf(energies: readonly ByBucket[]): ByBucket {
  const telling = energies.filter((each) => each.size > 0);
  const [first, ...rest] = telling;
  const sum: ByBucket = new Map();
  for (const [bucketMs, wh] of first ?? []) {
    const values = rest.map((each) => each.get(bucketMs));
    if (values.every((value) => value !== undefined))
      sum.set(
        bucketMs,
        values.reduce((a, b) => a + b, wh),
      );
  }
  return sum;
}

/**
 * On a straight line: what the counter grew by between its readings beside the span; where it fell, or rose by more than its channel carries, or there is no
 * counter, from the energy before to that after.
 */
async function bridged(
  telemetry: ClickHouseClient,
  device: AccountedDevice,
  span: Filling,
  own: ByBucket,
): Promise<number[]> {
  const buckets = bucketsOfSpan(span);
  const { before, after } = await readingsBeside(telemetry, device, span.channel, span);
  if (before !== undefined && after !== undefined) {
    const grownWh = after.wh - before.wh;
    const limitW = knownReach(device).limitW[ENERGY_CHANNELS.indexOf(span.channel)] ?? 0;
    const elapsedMs = after.tsMs - before.tsMs;
    if (grownWh >= 0 && grownWh <= (limitW * elapsedMs) / HOUR_MS)
      return evenParts((grownWh * (span.toMs - span.fromMs)) / elapsedMs, buckets);
  }
  const beforeWh = edgeWh(own, span.fromMs - BUCKET_MS, -BUCKET_MS);
  const afterWh = edgeWh(own, span.toMs, BUCKET_MS);
  if (beforeWh === undefined && afterWh === undefined) throw new CallError('cannotBridge');
  return linearParts(beforeWh ?? afterWh ?? 0, afterWh ?? beforeWh ?? 0, buckets);
}

function edgeWh(own: ByBucket, fromMs: number, stepMs: number): number | undefined {
  const known = Array.from({ length: EDGE_BUCKETS }, (_, place) => own.get(fromMs + place * stepMs));
  const values = known.filter((wh) => wh !== undefined);
  return values.length === 0 ? undefined : values.reduce((a, b) => a + b, 0) / values.length;
}
