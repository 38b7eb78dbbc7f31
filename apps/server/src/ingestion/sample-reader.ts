import { alarmsFromDataSet } from '@sonnenwarte/device-protocol/alarms';
import type { DataSet, MetricValue, SparkplugPayload } from '@sonnenwarte/device-protocol/sparkplug-payload';
import type { AlarmBook } from './alarm-book.ts';
import { type Binding, type MetricBindings, numberOf, readValueOf, Target } from './bindings.ts';
import { FLAG_CLOCK, FLAG_HISTORICAL } from './kinds.ts';
import type { DeviceEntry } from './plant-model.ts';
import { newSample, type Sample } from './sample.ts';

const EARLIEST_MS = Date.UTC(2020, 0, 1);
const MOST_AHEAD_MS = 10 * 60_000;
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
  rejected: number;
}

/** Time under which a sample is stored: its own, or that of receipt where its own cannot be true. */
export function isPlausibleTime(tsMs: number, receivedMs: number): boolean {
  return tsMs >= EARLIEST_MS && tsMs <= receivedMs + MOST_AHEAD_MS;
}

/** Reads the metrics of a birth or data message into samples, one for each time. Alarms go to the book, if they are live. */
export function readSamples(
  payload: SparkplugPayload,
  device: DeviceEntry,
  bindings: MetricBindings,
  receivedMs: number,
  alarms: AlarmBook,
): ReadResult {
  const samples: Sample[] = [];
  const messageMs = payload.timestampMs ?? receivedMs;
  let hasUnknownAlias = false;
  let rejected = 0;
  let current: Sample | undefined;
  let currentMs = Number.NaN;
  let isCurrentHistorical = false;
  let byTime: Map<number, Sample> | undefined;
  for (const metric of payload.metrics) {
    const binding = bindings.find(metric);
    if (binding === undefined) {
      hasUnknownAlias = true;
      continue;
    }
    if (metric.value === null || binding.target === Target.frame) continue;
    const value = readValueOf(metric, binding);
    if (value === null) continue;
    const isHistorical = metric.isHistorical === true;
    if (binding.target >= Target.alarms) {
      if (!isHistorical && isDataSet(value) && !device.isLogger) {
        const list = alarmsFromDataSet(value);
        if (binding.target === Target.alarms) alarms.setActive(device, list, receivedMs);
        else alarms.addEvents(device, list, receivedMs);
      }
      continue;
    }
    let tsMs = metric.timestampMs ?? messageMs;
    if (!isHistorical && Math.abs(tsMs - messageMs) <= TOGETHER_MS) tsMs = messageMs;
    if (current === undefined || tsMs !== currentMs || isHistorical !== isCurrentHistorical) {
      current =
        samples.length < 4
          ? findSample(samples, tsMs, receivedMs, isHistorical)
          : byTime?.get(keyOf(tsMs, isHistorical));
      if (current === undefined) {
        if (samples.length >= MOST_SAMPLES) {
          rejected += 1;
          continue;
        }
        current = sampleAt(device, tsMs, receivedMs, isHistorical);
        samples.push(current);
        if (samples.length === 4) {
          byTime = new Map(samples.map((sample) => [keyOf(sample.tsMs, sample.historical), sample]));
        } else byTime?.set(keyOf(tsMs, isHistorical), current);
      }
      currentMs = tsMs;
      isCurrentHistorical = isHistorical;
    }
    if (!setValue(current, binding, value)) rejected += 1;
  }
  return { samples, hasUnknownAlias, rejected };
}

export function sampleAt(device: DeviceEntry, tsMs: number, receivedMs: number, historical: boolean): Sample {
  const isPlausible = isPlausibleTime(tsMs, receivedMs);
  const sample = newSample(device, isPlausible ? tsMs : receivedMs, receivedMs, historical);
  sample.flags = (isPlausible ? 0 : FLAG_CLOCK) | (historical ? FLAG_HISTORICAL : 0);
  return sample;
}

/** Puts a value where its metric belongs. False for one that is none. */
export function setValue(sample: Sample, binding: Binding, value: MetricValue): boolean {
  switch (binding.target) {
    case Target.number: {
      const number = numberOf(value) * binding.factor;
      if (!(Math.abs(number) <= LARGEST)) return false;
      sample.values[binding.index] = number;
      return true;
    }
    case Target.text: {
      if (typeof value !== 'string') return false;
      sample.texts ??= [];
      sample.texts[binding.index] = value.slice(0, LONGEST_TEXT);
      return true;
    }
    default: {
      if (typeof value === 'object') return false;
      sample.other ??= [];
      if (sample.other.length >= 2 * MOST_OTHERS) return false;
      sample.other.push(binding.name, String(value).slice(0, LONGEST_TEXT));
      return true;
    }
  }
}

function findSample(samples: readonly Sample[], tsMs: number, receivedMs: number, historical: boolean) {
  const atMs = isPlausibleTime(tsMs, receivedMs) ? tsMs : receivedMs;
  for (const sample of samples) if (sample.tsMs === atMs && sample.historical === historical) return sample;
  return undefined;
}

function keyOf(tsMs: number, historical: boolean): number {
  return historical ? -tsMs : tsMs;
}

function isDataSet(value: MetricValue): value is DataSet {
  return typeof value === 'object' && 'rows' in value;
}
