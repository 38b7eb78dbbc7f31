import { DataType } from '../sparkplug/datatypes.ts';
import {
  applyDatatype,
  type MetricValue,
  type PropertySet,
  type SparkplugMetric,
  type SparkplugPayload,
} from '../sparkplug/sparkplug-payload.ts';
import type { Unit } from './points.ts';

/** Name of the metric that ties an NDEATH to its NBIRTH. */
export const BD_SEQ = 'bdSeq';

/** A metric as its birth declared it, with the value of a message. */
export interface ResolvedMetric {
  name: string;
  datatype: number | undefined;
  value: MetricValue | null;
}

/** The metrics that a birth declared, by name and by alias. One table per node and one per device. */
export class AliasTable {
  readonly #nameByAlias = new Map<number, string>();
  readonly #datatypeByName = new Map<string, number | undefined>();

  /** Number of metrics known by name. */
  get size(): number {
    return this.#datatypeByName.size;
  }

  /** Replaces what is known by the metrics of a birth; metrics without a name are left out. */
  register(birth: readonly SparkplugMetric[]): void {
    this.#nameByAlias.clear();
    this.#datatypeByName.clear();
    for (const { name, alias, datatype } of birth) {
      if (name === undefined) continue;
      this.#datatypeByName.set(name, datatype);
      if (alias !== undefined) this.#nameByAlias.set(alias, name);
    }
  }

  /** Name, datatype and value of a metric given by name or by alias; undefined for an alias that no birth declared. */
  resolve(metric: SparkplugMetric): ResolvedMetric | undefined {
    const name = metric.name ?? (metric.alias === undefined ? undefined : this.#nameByAlias.get(metric.alias));
    if (name === undefined) return undefined;
    const born = this.#datatypeByName.get(name);
    if (metric.datatype !== undefined || born === undefined) {
      return { name, datatype: metric.datatype ?? born, value: metric.value };
    }
    return { name, datatype: born, value: applyDatatype(metric, born) };
  }
}

/** What a sequence number says: the next one or one that fills a hole, one after a hole, or one that was seen. */
export type SequenceVerdict = 'ok' | 'gap' | 'duplicate';

/** How far behind the newest number a message may come and still be a late or repeated one. */
const REORDER_WINDOW = 16;

/** Follows `seq` (0-255) of one edge node over its N and D messages. */
export class SequenceTracker {
  #last: number | undefined;
  readonly #missing = new Set<number>();

  /** Starts again from the `seq` of an NBIRTH (0 by the standard). */
  reset(seq = 0): void {
    this.#last = seq;
    this.#missing.clear();
  }

  /**
   * Judges a number. A gap goes on from the new number and remembers those left out; a late one of them is ok.
   * The first number of all is taken as it comes.
   */
  accept(seq: number): SequenceVerdict {
    const last = this.#last;
    if (last === undefined || seq === nextSeq(last)) return this.#advance(seq, 'ok');
    const behind = (last - seq) & 255;
    if (behind === 0) return 'duplicate';
    if (behind <= REORDER_WINDOW) return this.#missing.delete(seq) ? 'ok' : 'duplicate';
    for (let left = nextSeq(last); left !== (seq & 255); left = nextSeq(left)) this.#missing.add(left);
    return this.#advance(seq, 'gap');
  }

  /** The number that comes next, undefined before the first. */
  get expected(): number | undefined {
    return this.#last === undefined ? undefined : nextSeq(this.#last);
  }

  /** Whether numbers are missing still; reordering has healed the gap when this is false again. */
  get hasHoles(): boolean {
    return this.#missing.size > 0;
  }

  /** Gives up the missing numbers, once a rebirth was asked for. */
  forgetHoles(): void {
    this.#missing.clear();
  }

  #advance(seq: number, verdict: SequenceVerdict): SequenceVerdict {
    this.#last = seq & 255;
    this.#missing.delete(this.#last);
    return verdict;
  }
}

/** The sequence number after `seq`: 0 follows 255. */
export function nextSeq(seq: number): number {
  return (seq + 1) & 255;
}

/** The `bdSeq` metric of an NBIRTH or of a will, for the node's `count`th connection (kept within 0-255). */
export function bdSeqMetric(count: number, timestampMs?: number): SparkplugMetric {
  return { name: BD_SEQ, timestampMs, datatype: DataType.Int64, value: count & 255 };
}

/** `bdSeq` of an NBIRTH or NDEATH, undefined where it is missing or no number. */
export function bdSeqOf(payload: SparkplugPayload): number | undefined {
  const value = payload.metrics.find((metric) => metric.name === BD_SEQ)?.value;
  return typeof value === 'number' ? value : undefined;
}

/** The will of an edge node: an NDEATH holds `bdSeq` and no `seq`. */
export function deathPayload(count: number, timestampMs?: number): SparkplugPayload {
  return { timestampMs, metrics: [bdSeqMetric(count, timestampMs)] };
}

/** Whether a death belongs to the birth: the same `bdSeq`, or one of them without. */
export function deathMatchesBirth(deathBdSeq: number | undefined, birthBdSeq: number | undefined): boolean {
  return deathBdSeq === undefined || birthBdSeq === undefined || deathBdSeq === birthBdSeq;
}

/** Properties of a metric in a birth: unit, plausible range and whether commands may write it. */
export function birthProperties(point: { unit: Unit; low?: number; high?: number }, readOnly = true): PropertySet {
  const properties: PropertySet = {
    engUnit: { type: DataType.String, value: point.unit },
    readOnly: { type: DataType.Boolean, value: readOnly },
  };
  if (point.low !== undefined) properties.engLow = { type: DataType.Double, value: point.low };
  if (point.high !== undefined) properties.engHigh = { type: DataType.Double, value: point.high };
  return properties;
}

/** What a birth lets be written to one of its metrics: between `low` and `high`, in the unit of the metric, or nothing. */
export interface MetricBounds {
  readonly low?: number;
  readonly high?: number;
  readonly isReadOnly?: true;
}

const BOUND_TEXT = /^-?\d{1,15}(?:\.\d{1,9})?$/;

function boundOf(property: PropertySet[string] | undefined): number | undefined {
  const value = property?.value;
  const bound =
    typeof value === 'number' || typeof value === 'bigint'
      ? Number(value)
      : typeof value === 'string' && BOUND_TEXT.test(value)
        ? Number(value)
        : Number.NaN;
  return Number.isFinite(bound) ? bound : undefined;
}

/**
 * The properties `engLow`, `engHigh` and `readOnly` of a metric, as Ignition and others that know Sparkplug tell them; undefined where a birth says
 * nothing of them. Bounds that leave no value are as good as none to write.
 */
export function metricBounds(properties: PropertySet | undefined): MetricBounds | undefined {
  if (properties === undefined) return undefined;
  const [low, high] = [boundOf(properties.engLow), boundOf(properties.engHigh)];
  // Both nought is how tags are told that nobody has given bounds.
  const isUnset = low === 0 && high === 0;
  const isReadOnly = properties.readOnly?.value === true || (low !== undefined && high !== undefined && low > high);
  const bounds: MetricBounds = {
    ...(low !== undefined && !isUnset && { low }),
    ...(high !== undefined && !isUnset && { high }),
    ...(isReadOnly && { isReadOnly }),
  };
  return Object.keys(bounds).length === 0 ? undefined : bounds;
}
