import { createHash } from 'node:crypto';
import {
  type MappingTable,
  sunspecBatteryMapping,
  sunspecInverterMapping,
  sunspecMeterMapping,
} from '@sonnenwarte/device-protocol/json/mapping';
import { ALARM_ACTIVE, ALARM_EVENT } from '@sonnenwarte/device-protocol/points/alarms';
import { type MetricBounds, metricBounds } from '@sonnenwarte/device-protocol/points/births';
import { type DeviceKind, pointsOf } from '@sonnenwarte/device-protocol/points/points';
import {
  applyDatatype,
  type MetricValue,
  type SparkplugMetric,
} from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import type { Held } from '../registry/plant-model.ts';
import type { KindLayout } from './kinds.ts';

/** Where the value of a metric goes. */
export const Target = { number: 0, text: 1, other: 2, frame: 3, alarms: 4, alarmEvent: 5 } as const;
export type TargetNumber = (typeof Target)[keyof typeof Target];

export interface Binding {
  name: string;
  datatype: number | undefined;
  /** As its birth has it. */
  alias?: number;
  /** What its birth lets be written to it. */
  bounds?: MetricBounds;
  target: TargetNumber;
  index: number;
  factor: number;
}

const LARGEST_ALIAS_IN_ARRAY = 4_096;
const MOST_NAMES = 2_000;
const MOST_UNDECLARED = 500;
/** Of all devices of one logger: 250 devices with what the largest of the catalogue have. */
const MOST_NAMES_OF_DATALOGGER = 40_000;
const MOST_NAME_LENGTH = 128;
const FRAME =
  /^(Properties|Node Control|Device Control|Cmd|Clock|Setting|Firmware|IV|FaultRecord|History|Report)\/|^bdSeq$/;

const mappings: Partial<Record<DeviceKind, MappingTable>> = {
  inverter: sunspecInverterMapping,
  battery: sunspecBatteryMapping,
  meter: sunspecMeterMapping(false),
};

/** What a birth declares. Devices of one model and firmware declare the same, and then share it. */
class Declaration {
  readonly byName = new Map<string, Binding>();
  readonly #byAlias: (Binding | undefined)[] = [];
  readonly #byLargeAlias = new Map<number, Binding>();

  constructor(layout: KindLayout, birth: readonly SparkplugMetric[]) {
    for (const { name, alias, datatype, properties } of birth) {
      if (name === undefined || name.length > MOST_NAME_LENGTH || this.byName.size >= MOST_NAMES) continue;
      const binding = bindingOf(layout, name, datatype);
      const bounds = metricBounds(properties);
      if (bounds !== undefined) binding.bounds = bounds;
      this.byName.set(name, binding);
      if (alias === undefined) continue;
      binding.alias = alias;
      if (alias < LARGEST_ALIAS_IN_ARRAY) this.#byAlias[alias] = binding;
      else this.#byLargeAlias.set(alias, binding);
    }
  }

  byAlias(alias: number): Binding | undefined {
    return alias < LARGEST_ALIAS_IN_ARRAY ? this.#byAlias[alias] : this.#byLargeAlias.get(alias);
  }
}

/** By a hash of what is declared, for as long as some device uses it. */
const declarations = new Map<string, WeakRef<Declaration>>();
const unused = new FinalizationRegistry<string>((key) => {
  if (declarations.get(key)?.deref() === undefined) declarations.delete(key);
});

function declarationOf(layout: KindLayout, birth: readonly SparkplugMetric[]): Declaration {
  const told = birth.map(({ name, alias, datatype, properties }) => [name, alias, datatype, metricBounds(properties)]);
  const key = createHash('sha256')
    .update(layout.kind + JSON.stringify(told))
    .digest('base64');
  const known = declarations.get(key)?.deref();
  if (known !== undefined) return known;
  const declaration = new Declaration(layout, birth);
  declarations.set(key, new WeakRef(declaration));
  unused.register(declaration, key);
  return declaration;
}

/** The metrics of a node or device as its birth declared them, bound to where their values go. */
export class MetricBindings {
  readonly #layout: KindLayout;
  readonly #declared: Declaration;
  readonly #held: Held;
  /** Metrics that come by name without having been declared. */
  #undeclared: Map<string, Binding> | undefined;
  #names: number;

  /** Declares nothing where the logger has no room for the names: its metrics are then taken by name only. */
  constructor(layout: KindLayout, birth: readonly SparkplugMetric[], held: Held) {
    this.#layout = layout;
    this.#held = held;
    this.hasRoom = held.names + Math.min(birth.length, MOST_NAMES) <= MOST_NAMES_OF_DATALOGGER;
    this.#declared = declarationOf(layout, this.hasRoom ? birth : []);
    this.#names = this.#declared.byName.size;
    held.names += this.#names;
  }

  /** False where a birth told more names than its logger's devices may have. */
  readonly hasRoom: boolean;

  /** To be called when others take their place. */
  release(): void {
    this.#held.names -= this.#names;
    this.#names = 0;
  }

  /** The binding of a metric; undefined for an alias that no birth declared, and for a name that is too long. */
  find({ name, alias, datatype }: SparkplugMetric): Binding | undefined {
    if (name === undefined) return alias === undefined ? undefined : this.#declared.byAlias(alias);
    if (name.length > MOST_NAME_LENGTH) return undefined;
    return this.#known(name) ?? this.#bind(name, datatype);
  }

  /** How the birth declared a metric; undefined where it did not. */
  declared(name: string): Pick<Binding, 'alias' | 'datatype' | 'bounds'> | undefined {
    return this.#declared.byName.get(name);
  }

  byName(name: string): Binding {
    return this.#known(name) ?? this.#bind(name, undefined);
  }

  #known(name: string): Binding | undefined {
    return this.#declared.byName.get(name) ?? this.#undeclared?.get(name);
  }

  #bind(name: string, datatype: number | undefined): Binding {
    const binding = bindingOf(this.#layout, name, datatype);
    this.#undeclared ??= new Map();
    if (this.#undeclared.size < MOST_UNDECLARED && this.#held.names < MOST_NAMES_OF_DATALOGGER) {
      this.#undeclared.set(name, binding);
      this.#names += 1;
      this.#held.names += 1;
    }
    return binding;
  }
}

function bindingOf(layout: KindLayout, name: string, datatype: number | undefined): Binding {
  const index = layout.indexOf.get(name);
  if (index !== undefined) return { name, datatype, target: Target.number, index, factor: 1 };
  const text = layout.textIndexOf.get(name);
  if (text !== undefined) return { name, datatype, target: Target.text, index: text, factor: 1 };
  if (name === ALARM_ACTIVE) return { name, datatype, target: Target.alarms, index: -1, factor: 1 };
  if (name === ALARM_EVENT) return { name, datatype, target: Target.alarmEvent, index: -1, factor: 1 };
  if (FRAME.test(name)) return { name, datatype, target: Target.frame, index: -1, factor: 1 };
  const row = mappings[layout.kind]?.get(name);
  const mapped = row === undefined ? undefined : layout.indexOf.get(row.to);
  if (row !== undefined && mapped !== undefined) {
    return { name: row.to, datatype, target: Target.number, index: mapped, factor: row.scale * row.sign };
  }
  return { name, datatype, target: Target.other, index: -1, factor: 1 };
}

/** The value of a metric as its datatype, known from the message or from the birth, says. */
export function readValueOf(metric: SparkplugMetric, binding: Binding): MetricValue | null {
  if (metric.datatype !== undefined || binding.datatype === undefined) return metric.value;
  return typeof metric.value === 'number' && Number.isInteger(metric.value)
    ? applyDatatype(metric, binding.datatype)
    : metric.value;
}

const NUMBER_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const LONGEST_NUMBER_TEXT = 32;

/** A number of a value that stands for one, be it as text; NaN for anything else. True and false are numbers of switches only. */
export function numberOf(value: MetricValue | null, isBoolean = false): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return isBoolean ? Number(value) : Number.NaN;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string' || value.length > LONGEST_NUMBER_TEXT) return Number.NaN;
  const text = value.trim();
  return NUMBER_TEXT.test(text) ? Number(text) : Number.NaN;
}

const guessed: readonly DeviceKind[] = ['inverter', 'battery', 'meter', 'pile', 'ems', 'gateway', 'station'];

/** The kind whose points, or mapped names, the metrics are most of; undefined where that is none, or two alike. */
export function kindOfMetrics(metrics: readonly SparkplugMetric[]): DeviceKind | undefined {
  let best: DeviceKind | undefined;
  let bestCount = 0;
  for (const kind of guessed) {
    const names = new Set([...pointsOf[kind].map((point) => point.name), ...(mappings[kind]?.keys() ?? [])]);
    const count = metrics.filter((metric) => metric.name !== undefined && names.has(metric.name)).length;
    if (count === bestCount) best = undefined;
    else if (count > bestCount) {
      best = kind;
      bestCount = count;
    }
  }
  return best;
}
