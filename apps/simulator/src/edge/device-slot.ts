import {
  partMetrics,
  RecordName,
  type RecordPart,
  recordListMetric,
  recordParts,
  wantedParts,
} from '@sonnenwarte/device-protocol/fault-records/record-parts';
import type { ActiveAlarm } from '@sonnenwarte/device-protocol/points/alarms';
import { ResultCode, type ResultCodeNumber, type SettingValue } from '@sonnenwarte/device-protocol/sparkplug/commands';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import type { MetricValue, SparkplugMetric } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import type { FleetDevice } from '../fleet.ts';
import type { Plant } from '../plant/plant.ts';
import { alarmKey } from './alarm-list.ts';
import { type ActionDone, CommandAnswers } from './command-answers.ts';
import { deviceSettings } from './device-settings.ts';
import { FaultRecorder } from './fault-recorder.ts';
import { type AliasCounter, deviceFacts, type LayoutPoint, PointLayout, valuesOf } from './layout.ts';
import { readDevice } from './readings.ts';
import type { StoredSample } from './sample-store.ts';
import type { SettingsBank } from './settings-bank.ts';

/** Of a fault record at a time. */
const PART_BYTES = 4_096;

/** The place of a device behind its logger; another unit may come to stand in it. */
export class DeviceSlot {
  readonly device: FleetDevice;
  readonly layout: PointLayout;
  readonly commands: CommandAnswers;
  readonly #settings: SettingsBank;
  readonly #plant: Plant;
  readonly #nowMs: () => number;
  sn: string;
  isBorn = false;
  isRebooting = false;
  #toldAlarms = '';
  #rebootAsked = false;
  readonly #recorder: FaultRecorder | undefined;
  #toldNewest = 0;
  #partsAsked: RecordPart[] = [];
  readonly #toTell: SettingValue[] = [];

  constructor(plant: Plant, device: FleetDevice, aliases: AliasCounter, nowMs: () => number = () => plant.tsMs) {
    this.#plant = plant;
    this.#nowMs = nowMs;
    this.device = device;
    this.sn = device.sn;
    this.layout = new PointLayout(device.kind, readDevice(plant, device), aliases);
    this.#settings = deviceSettings(plant, device);
    this.#recorder = device.kind === 'inverter' ? new FaultRecorder(device) : undefined;
    this.commands = new CommandAnswers(
      this.#settings,
      (name) => this.layout.points.some((point) => point.name === name),
      (action, value, parameters) => this.#act(action, value, parameters),
    );
    this.commands.refusal = (name) => this.#refusalOf(name);
    this.commands.nameOf = (alias) => this.layout.points.find((point) => point.alias === alias)?.name;
  }

  /** Changes a setting by itself, as somebody at its display would; what it then has is told with the next report. */
  drift(name: string): void {
    const setting = this.#settings.get(name);
    if (setting === undefined) return;
    const { value } = setting;
    const other = typeof value === 'boolean' ? !value : typeof value === 'number' ? Math.floor(value / 2) : value;
    this.#settings.write([{ name, value: other }]);
    const now = this.#settings.get(name);
    if (now !== undefined) this.#toTell.push(now);
  }

  /** Whether another unit stands here than the one that was born last. */
  get isReplaced(): boolean {
    return this.#wantedSn() !== this.sn;
  }

  updateSn(): void {
    this.sn = this.#wantedSn();
  }

  birthMetrics(alarms: readonly ActiveAlarm[], tsMs: number): SparkplugMetric[] {
    this.#toldAlarms = alarmKey(alarms);
    this.record();
    return [
      ...deviceFacts(this.device, this.#settings),
      ...this.#newestMetrics(),
      ...this.layout.birthMetrics(readDevice(this.#plant, this.device), tsMs),
      this.layout.alarmMetric(alarms, tsMs, true),
    ];
  }

  dataMetrics(alarms: readonly ActiveAlarm[], tsMs: number): SparkplugMetric[] {
    const metrics = this.layout.dataMetrics(readDevice(this.#plant, this.device), tsMs);
    this.record();
    if (this.#recorder !== undefined && this.#recorder.newest !== this.#toldNewest)
      metrics.push(...this.#newestMetrics());
    for (const { name, datatype, value } of this.#toTell.splice(0)) metrics.push({ name, datatype, value });
    const key = alarmKey(alarms);
    if (key !== this.#toldAlarms) {
      this.#toldAlarms = key;
      metrics.push(this.layout.alarmMetric(alarms, tsMs, false));
    }
    return metrics;
  }

  /** Records the faults that have begun in a computation of its plant. */
  record(plant = this.#plant): void {
    // A history is long, and of most devices nothing happens in it.
    if (plant === this.#plant || plant.faults.concerns(this.device.sn)) this.#recorder?.note(plant);
  }

  /** The parts of fault records that were asked for since the last time, each as the metrics of a message. */
  takeParts(): SparkplugMetric[][] {
    return this.#partsAsked.splice(0).map(partMetrics);
  }

  #newestMetrics(): SparkplugMetric[] {
    if (this.#recorder === undefined || this.commands.isPlain) return [];
    this.#toldNewest = this.#recorder.newest;
    return [{ name: RecordName.newest, datatype: DataType.Int32, value: this.#toldNewest }];
  }

  sample(tsMs: number): StoredSample {
    return this.sampleOf(this.#plant, tsMs);
  }

  /** The device's sample in another computation of the same plant. */
  sampleOf(plant: Plant, tsMs: number): StoredSample {
    return this.#kept(this.layout.stored, plant, tsMs);
  }

  /** The same of what a logger keeps for long. */
  archivedOf(plant: Plant, tsMs: number): StoredSample {
    return this.#kept(this.layout.archived, plant, tsMs);
  }

  #kept(points: readonly LayoutPoint[], plant: Plant, tsMs: number): StoredSample {
    return { device: this.device.sn, tsMs, points, values: valuesOf(points, readDevice(plant, this.device)) };
  }

  /** Whether a restart was asked for since the last time. */
  takeReboot(): boolean {
    const isAsked = this.#rebootAsked;
    this.#rebootAsked = false;
    return isAsked;
  }

  #refusalOf(name: string): ResultCodeNumber | undefined {
    const fault = this.#plant.faults.find(this.device.sn, 'command-refused', this.#nowMs());
    if (fault === undefined || (fault.setting !== undefined && fault.setting !== name)) return undefined;
    return (fault.code ?? ResultCode.refused) as ResultCodeNumber;
  }

  #wantedSn(): string {
    const isReplaced = this.#plant.faults.has(this.device.sn, 'device-replaced', this.#plant.tsMs);
    return isReplaced ? `${this.device.sn.slice(0, 31)}R` : this.device.sn;
  }

  #act(
    action: string,
    value: MetricValue,
    parameters: ReadonlyMap<string, MetricValue>,
  ): ResultCodeNumber | ActionDone {
    const { faults } = this.#plant;
    switch (action) {
      case 'Reboot':
        this.#rebootAsked = true;
        return ResultCode.ok;
      case 'ClearAlarm':
        faults.clear(this.#plant.tsMs, this.device.sn, 'arc-fault');
        return ResultCode.ok;
      case 'StartStop':
        return this.device.kind === 'inverter'
          ? this.#settings.write([{ name: 'Setting/StartStop', value: value === true }]).code
          : ResultCode.unknownMetric;
      case 'FaultRecordList':
        return this.#recorder === undefined
          ? ResultCode.unknownMetric
          : { code: ResultCode.ok, told: [recordListMetric(this.#recorder.list())] };
      case 'FaultRecordRead':
        return this.#readRecord(parameters);
      default:
        return ResultCode.unknownMetric;
    }
  }

  #readRecord(parameters: ReadonlyMap<string, MetricValue>): ResultCodeNumber {
    const index = parameters.get(RecordName.requestIndex);
    const bytes = typeof index === 'number' ? this.#recorder?.bytesOf(index) : undefined;
    if (bytes === undefined || typeof index !== 'number') return ResultCode.outOfRange;
    const { faults } = this.#plant;
    const wanted = wantedParts(parameters.get(RecordName.requestParts));
    const has = (name: 'record-damaged' | 'record-part-lost') => faults.has(this.device.sn, name, this.#nowMs());
    const told = has('record-damaged') ? damaged(bytes) : bytes;
    const parts = recordParts(index, told, PART_BYTES).map((part, place, { length }) => ({
      ...part,
      sha256: recordParts(index, bytes)[0]?.sha256 ?? part.sha256,
      isLost: has('record-part-lost') && wanted === undefined && place === Math.floor(length / 2),
    }));
    this.#partsAsked.push(...parts.filter(({ number, isLost }) => !isLost && (wanted?.has(number) ?? true)));
    return ResultCode.ok;
  }
}

/** One bit of what is read is another than what was kept. */
function damaged(bytes: Uint8Array): Uint8Array {
  const other = Uint8Array.from(bytes);
  const place = Math.floor(other.length / 2);
  other[place] = (other[place] ?? 0) ^ 1;
  return other;
}
