import type { ActiveAlarm } from '@sonnenwarte/device-protocol/points/alarms';
import { ResultCode, type ResultCodeNumber, type SettingValue } from '@sonnenwarte/device-protocol/sparkplug/commands';
import type { MetricValue, SparkplugMetric } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import type { FleetDevice } from '../fleet.ts';
import type { Plant } from '../plant/plant.ts';
import { alarmKey } from './alarm-list.ts';
import { CommandAnswers } from './command-answers.ts';
import { deviceSettings } from './device-settings.ts';
import { type AliasCounter, deviceFacts, type LayoutPoint, PointLayout, valuesOf } from './layout.ts';
import { readDevice } from './readings.ts';
import type { StoredSample } from './sample-store.ts';
import type { SettingsBank } from './settings-bank.ts';

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
  readonly #toTell: SettingValue[] = [];

  constructor(plant: Plant, device: FleetDevice, aliases: AliasCounter, nowMs: () => number = () => plant.tsMs) {
    this.#plant = plant;
    this.#nowMs = nowMs;
    this.device = device;
    this.sn = device.sn;
    this.layout = new PointLayout(device.kind, readDevice(plant, device), aliases);
    this.#settings = deviceSettings(plant, device);
    this.commands = new CommandAnswers(
      this.#settings,
      (name) => this.layout.points.some((point) => point.name === name),
      (action, value) => this.#act(action, value),
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
    return [
      ...deviceFacts(this.device, this.#settings),
      ...this.layout.birthMetrics(readDevice(this.#plant, this.device), tsMs),
      this.layout.alarmMetric(alarms, tsMs, true),
    ];
  }

  dataMetrics(alarms: readonly ActiveAlarm[], tsMs: number): SparkplugMetric[] {
    const metrics = this.layout.dataMetrics(readDevice(this.#plant, this.device), tsMs);
    for (const { name, datatype, value } of this.#toTell.splice(0)) metrics.push({ name, datatype, value });
    const key = alarmKey(alarms);
    if (key !== this.#toldAlarms) {
      this.#toldAlarms = key;
      metrics.push(this.layout.alarmMetric(alarms, tsMs, false));
    }
    return metrics;
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

  #act(action: string, value: MetricValue): ResultCodeNumber {
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
      default:
        return ResultCode.unknownMetric;
    }
  }
}
