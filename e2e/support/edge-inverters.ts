import { type ActiveAlarm, alarmsToDataSet } from '@sonnenwarte/device-protocol/points/alarms';
import {
  parseCommand,
  ResultCode,
  resultMetrics,
  type SettingValue,
} from '@sonnenwarte/device-protocol/sparkplug/commands';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { decodePayload, type SparkplugMetric } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { inject, onTestFinished } from 'vitest';
import { TestEdge } from '../../apps/server/src/testing/edge.ts';
import { addDatalogger } from './dataloggers.ts';

const EXPORT_LIMIT = 'Setting/ExportLimit';

/** What the inverters begin with. */
const initial: readonly SettingValue[] = [
  { name: EXPORT_LIMIT, datatype: DataType.UInt32, value: 8_000 },
  { name: 'Setting/ActivePowerLimit', datatype: DataType.Int32, value: 100 },
  { name: 'Setting/ReconnectDelay', datatype: DataType.Int32, value: 60 },
];

/** Inverters behind one datalogger that take settings, but for those that refuse them. */
export class EdgeInverters {
  readonly sns: readonly string[];
  /** They refuse what is written, in the state that they are in. */
  readonly refusing = new Set<string>();
  /** While it is there, answers wait for it. */
  holding: Promise<void> | undefined;
  readonly #edge: TestEdge;
  readonly #values = new Map<string, Map<string, SettingValue>>();

  private constructor(edge: TestEdge, sns: readonly string[]) {
    this.#edge = edge;
    this.sns = sns;
    for (const sn of sns) this.#values.set(sn, new Map(initial.map((value) => [value.name, { ...value }])));
    edge.client.on('message', (topic, payload) => void this.#answer(topic.split('/')[4] ?? '', payload));
  }

  /** A datalogger of a new plant with so many inverters, all of them come. */
  static async start(loggerSN: string, plant: string, count: number): Promise<EdgeInverters> {
    const zone = ['--zone', 'Europe/Berlin', '--country', 'DE'];
    const password = await addDatalogger(inject('dataDir'), loggerSN, '--new-site', plant, ...zone);
    const edge = await TestEdge.connect(Number(new URL(inject('mqttUrl')).port), loggerSN, { password });
    onTestFinished(() => edge.end());
    const sns = Array.from({ length: count }, (_, at) => `E${loggerSN.slice(-6)}${String(at + 1).padStart(4, '0')}`);
    const inverters = new EdgeInverters(edge, sns);
    await edge.birth([{ name: 'Properties/Profile', datatype: DataType.String, value: 'PV-1' }]);
    for (const sn of sns) await inverters.#comes(sn);
    return inverters;
  }

  /** The device changes a setting by itself. */
  async changesItself(sn: string, value: SettingValue): Promise<void> {
    this.#values.get(sn)?.set(value.name, value);
    await this.#edge.send('DDATA', sn, [value]);
  }

  /** The device tells all alarms that stand. */
  async tells(sn: string, alarms: readonly ActiveAlarm[]): Promise<void> {
    const value = alarmsToDataSet(alarms);
    await this.#edge.send('DDATA', sn, [{ name: 'Alarm/Active', datatype: DataType.DataSet, value }]);
  }

  async #comes(sn: string): Promise<void> {
    const model: SparkplugMetric = { name: 'Properties/Model', datatype: DataType.String, value: 'SW-H8T' };
    const power: SparkplugMetric = { name: 'AC/ActivePower', datatype: DataType.Double, value: 1_000 };
    await this.#edge.deviceBirth(sn, 'inverter', [model, power, ...(this.#values.get(sn)?.values() ?? [])]);
  }

  async #answer(sn: string, payload: Uint8Array): Promise<void> {
    const own = this.#values.get(sn);
    if (own === undefined) return;
    const { id, settings, reads } = parseCommand(decodePayload(payload));
    if (id === undefined || settings.length + reads.length === 0) return;
    await this.holding;
    const isRefused = settings.length > 0 && this.refusing.has(sn);
    if (!isRefused) {
      for (const { name = '', datatype = DataType.Double, value } of settings) {
        if (value !== undefined && value !== null) own.set(name, { name, datatype, value });
      }
    }
    const told = settings.length === 0 ? [...own.values()] : settings.flatMap(({ name = '' }) => own.get(name) ?? []);
    const code = isRefused ? ResultCode.refused : ResultCode.ok;
    await this.#edge.send('DDATA', sn, resultMetrics(id, code, isRefused ? EXPORT_LIMIT : '', told));
  }
}

export const exportLimit = (watts: number): SettingValue => ({
  name: EXPORT_LIMIT,
  datatype: DataType.UInt32,
  value: watts,
});
