import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import { plainSetting, settingMetric } from '@sonnenwarte/device-protocol/points/setting-values';
import {
  type Command,
  parseCommand,
  ResultCode,
  type ResultCodeNumber,
  resultMetrics,
} from '@sonnenwarte/device-protocol/sparkplug/commands';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import type { SparkplugMetric } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import type { Kysely } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { TestEdge, until } from './edge.ts';

type Settings = Record<string, SettingValue>;

export interface DeviceAnswer {
  readonly code?: ResultCodeNumber;
  readonly message?: string;
  /** What it tells of its settings; what it has of those that were named unless said otherwise. */
  readonly readBack?: Settings;
}

/** What a device makes of a command that is new to it: nothing changes where `code` is not 0. `silent` keeps the answer for a repetition. */
export type Behaviour = (command: Command, device: CommandDevice) => DeviceAnswer | 'silent' | 'lost';

/** A device behind a datalogger of its own that keeps settings and answers commands, each id once. */
export class CommandDevice {
  readonly edge: TestEdge;
  readonly sn: string;
  readonly settings: Settings;
  /** Commands that reached it, with repetitions; and the ids that it carried out. */
  readonly heard: Command[] = [];
  readonly done: string[] = [];
  readonly results = new Map<string, SparkplugMetric[]>();
  behaviour: Behaviour = () => ({});

  private constructor(edge: TestEdge, sn: string, settings: Settings) {
    this.edge = edge;
    this.sn = sn;
    this.settings = settings;
  }

  static async connect(
    port: number,
    loggerSn: string,
    settings: Settings = { 'Setting/ExportLimit': 5_000 },
    memory?: CommandDevice,
  ): Promise<CommandDevice> {
    const edge = await TestEdge.connect(port, loggerSn);
    const device = new CommandDevice(edge, `INV${loggerSn}`, memory?.settings ?? settings);
    for (const [id, result] of memory?.results ?? []) device.results.set(id, result);
    if (memory !== undefined) {
      device.done.push(...memory.done);
      device.behaviour = memory.behaviour;
    }
    edge.client.on('message', (topic) => {
      const payload = edge.commands.at(-1);
      if (payload !== undefined && topic.includes('/DCMD/')) device.#hear(parseCommand(payload));
    });
    await device.birth();
    return device;
  }

  async birth(): Promise<void> {
    await this.edge.birth([{ name: 'Properties/Profile', datatype: DataType.String, value: 'PV-1' }]);
    await this.deviceBirth();
  }

  deviceBirth(): Promise<void> {
    const told = Object.entries(this.settings).map(([name, value]) => settingMetric(name, value));
    return this.edge.deviceBirth(this.sn, 'inverter', told);
  }

  /** Its row, which commands name. */
  async row(db: Kysely<Database>): Promise<{ deviceID: string; loggerID: string }> {
    const row = await until(
      () =>
        db
          .selectFrom('devices')
          .select(['id as deviceID', 'logger_id as loggerID'])
          .where('sn', '=', this.sn)
          .executeTakeFirst(),
      'the row of the device',
    );
    return row;
  }

  /** Tells an answer, known or made up. */
  answer(id: string, code: ResultCodeNumber = ResultCode.ok, readBack: Settings = {}, message = ''): Promise<void> {
    const values = Object.entries(readBack).map(([name, value]) => settingMetric(name, value));
    return this.edge.send('DDATA', this.sn, resultMetrics(id, code, message, values));
  }

  #hear(command: Command): void {
    this.heard.push(command);
    const { id = '' } = command;
    const known = this.results.get(id);
    if (known !== undefined) {
      this.#tell(known);
      return;
    }
    const answer = this.behaviour(command, this);
    if (answer === 'lost') return;
    const { code = ResultCode.ok, message = '' } = answer === 'silent' ? {} : answer;
    const named = command.settings.map(({ name = '' }) => name);
    if (code === ResultCode.ok && named.length > 0) {
      this.done.push(id);
      for (const { name = '', value, datatype } of command.settings) {
        const plain = plainSetting(value, datatype);
        if (plain !== undefined) this.settings[name] = plain;
      }
    } else if (code === ResultCode.ok) this.done.push(id);
    const asked = command.reads.flatMap((read) =>
      Object.keys(this.settings).filter((name) =>
        read.endsWith('*') ? name.startsWith(read.slice(0, -1)) : name === read,
      ),
    );
    const told =
      (answer === 'silent' ? undefined : answer.readBack) ??
      Object.fromEntries(
        [...named, ...asked].flatMap((name) => (name in this.settings ? [[name, this.settings[name]]] : [])),
      );
    const metrics = resultMetrics(
      id,
      code,
      message,
      Object.entries(told).map(([name, value]) => settingMetric(name, value as SettingValue)),
    );
    this.results.set(id, metrics);
    if (answer !== 'silent') this.#tell(metrics);
  }

  #tell(metrics: SparkplugMetric[]): void {
    // A test may end before the last answer is acknowledged.
    this.edge.send('DDATA', this.sn, metrics).catch(() => undefined);
  }

  end(): Promise<void> {
    return this.edge.end();
  }
}
