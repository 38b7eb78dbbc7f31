import { alarmsFromDataSet } from '@sonnenwarte/device-protocol/points/alarms';
import type { DataSet, MetricValue, SparkplugPayload } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import type { DeviceEntry } from '../registry/plant-model.ts';
import type { AlarmBook } from '../sessions/alarm-book.ts';
import { type Binding, type MetricBindings, numberOf, readValueOf, Target } from '../sessions/bindings.ts';
import { FLAG_HISTORICAL } from '../sessions/kinds.ts';
import type { RefusalReason } from '../sessions/reasons.ts';
import type { Tally } from '../sessions/refusals.ts';
import { isEmpty, newSample, type Sample } from './sample.ts';
import { placeSamples } from './sample-times.ts';

/** Metrics of one message that were read within this time are one sample. */
const TOGETHER_MS = 1_000;
const MOST_SAMPLES = 2_000;
const MOST_OTHERS = 200;
const LONGEST_TEXT = 256;
/** Beyond it no quantity of the catalogue can be meant; it would not fit a column either. */
const LARGEST = 1e15;

export interface ReadResult {
  samples: Sample[];
  hasUnknownAlias: boolean;
  /** Whether there is something of commands or settings among the metrics. */
  hasFrame: boolean;
}

/**
 * Reads the metrics of a birth or data message into samples, one for each time. Alarms go to the book, if they are live; what is
 * not taken stands in the tally.
 */
export function readSamples(
  payload: SparkplugPayload,
  device: DeviceEntry,
  bindings: MetricBindings,
  receivedMs: number,
  alarms: AlarmBook,
  tally: Tally,
): ReadResult {
  const samples: Sample[] = [];
  const messageMs = payload.timestampMs ?? receivedMs;
  let hasUnknownAlias = false;
  let hasFrame = false;
  let current: Sample | undefined;
  let byTime: Map<number, Sample> | undefined;
  for (const metric of payload.metrics) {
    const binding = bindings.find(metric);
    if (binding === undefined) {
      if (metric.name === undefined) hasUnknownAlias = true;
      else tally.note('bad-name', metric.name);
      continue;
    }
    if (binding.target === Target.frame) {
      hasFrame = true;
      continue;
    }
    const isHistorical = metric.isHistorical === true;
    if (metric.value === null) {
      tally.note('null-value', binding.name);
      continue;
    }
    const value = readValueOf(metric, binding);
    if (binding.target >= Target.alarms) {
      takeAlarms(device, binding, value, isHistorical, receivedMs, alarms, tally);
      continue;
    }
    if (value === null) {
      tally.note('bad-value', binding.name);
      continue;
    }
    let tsMs = metric.timestampMs ?? messageMs;
    if (!isHistorical && Math.abs(tsMs - messageMs) <= TOGETHER_MS) tsMs = messageMs;
    if (current === undefined || tsMs !== current.toldMs || isHistorical !== current.historical) {
      const known: Sample | undefined =
        samples.length < 4 ? findSample(samples, tsMs, isHistorical) : byTime?.get(keyOf(tsMs, isHistorical));
      if (known === undefined && samples.length >= MOST_SAMPLES) {
        tally.note('too-many-samples', binding.name);
        continue;
      }
      current = known ?? sampleAt(device, tsMs, receivedMs, isHistorical);
      if (known === undefined) {
        samples.push(current);
        if (samples.length === 4) {
          byTime = new Map(samples.map((sample) => [keyOf(sample.toldMs, sample.historical), sample]));
        } else byTime?.set(keyOf(tsMs, isHistorical), current);
      }
    }
    const refused = setValue(current, binding, value);
    if (refused !== undefined) tally.note(refused, binding.name);
  }
  return { samples: finished(samples, tally), hasUnknownAlias, hasFrame };
}

/** The samples of a message as they may be stored: with a time, and none that says nothing. */
export function finished(samples: readonly Sample[], tally: Tally): Sample[] {
  const full = samples.filter((sample) => {
    const hasValues = !isEmpty(sample);
    if (!hasValues) tally.note('empty-sample', sample.device.sn);
    return hasValues;
  });
  placeSamples(full);
  for (const { isUnplaced, device } of full) if (isUnplaced) tally.note('impossible-time', device.sn);
  return full;
}

export function sampleAt(device: DeviceEntry, toldMs: number, receivedMs: number, historical: boolean): Sample {
  const sample = newSample(device, toldMs, receivedMs, historical);
  sample.flags = historical ? FLAG_HISTORICAL : 0;
  return sample;
}

/** Puts a value where its metric belongs; says why where it is not taken, or not whole. */
export function setValue(sample: Sample, binding: Binding, value: MetricValue): RefusalReason | undefined {
  switch (binding.target) {
    case Target.number: {
      const number = numberOf(value, sample.device.layout.isBoolean[binding.index] === true) * binding.factor;
      if (!(Math.abs(number) <= LARGEST)) return 'bad-value';
      sample.values[binding.index] = number;
      return undefined;
    }
    case Target.text: {
      if (!isPlain(value)) return 'bad-value';
      const text = String(value);
      sample.texts ??= [];
      sample.texts[binding.index] = text.slice(0, LONGEST_TEXT);
      return text.length > LONGEST_TEXT ? 'text-cut' : undefined;
    }
    default: {
      if (!isPlain(value)) return 'bad-value';
      const text = String(value);
      if ((sample.other?.length ?? 0) >= 2 * MOST_OTHERS) return 'too-many-others';
      sample.other ??= [];
      sample.other.push(binding.name, text.slice(0, LONGEST_TEXT));
      return text.length > LONGEST_TEXT ? 'text-cut' : undefined;
    }
  }
}

function takeAlarms(
  device: DeviceEntry,
  { name, target }: Binding,
  value: MetricValue | null,
  isHistorical: boolean,
  receivedMs: number,
  alarms: AlarmBook,
  tally: Tally,
): void {
  if (device.isDatalogger || value === null || !isDataSet(value)) tally.note('bad-alarm', name);
  else if (isHistorical) tally.note('historical-alarm', name);
  else {
    const list = alarmsFromDataSet(value);
    for (let left = list.length; left < value.rows.length; left += 1) tally.note('bad-alarm', name);
    if (target === Target.alarms) alarms.setActive(device, list, receivedMs, tally);
    else alarms.addEvents(device, list, receivedMs, tally);
  }
}

function findSample(samples: readonly Sample[], toldMs: number, historical: boolean) {
  for (const sample of samples) if (sample.toldMs === toldMs && sample.historical === historical) return sample;
  return undefined;
}

function keyOf(tsMs: number, historical: boolean): number {
  return historical ? -tsMs - 1 : tsMs;
}

function isPlain(value: MetricValue): value is number | bigint | boolean | string {
  return typeof value === 'number' ? Number.isFinite(value) : typeof value !== 'object';
}

function isDataSet(value: MetricValue): value is DataSet {
  return typeof value === 'object' && 'rows' in value;
}
