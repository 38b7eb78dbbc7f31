import { encodeFaultRecord, type FaultRecord } from '@sonnenwarte/device-protocol/fault-records/fault-record';
import {
  partMetrics,
  RecordName,
  type RecordPart,
  recordListMetric,
  recordParts,
  wantedParts,
} from '@sonnenwarte/device-protocol/fault-records/record-parts';
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

/** What becomes of the parts of a record that was asked for: those to send, as metrics. */
export type Sending = (parts: readonly RecordPart[], wanted: ReadonlySet<number> | undefined) => SparkplugMetric[][];

const asAsked: Sending = (parts, wanted) => parts.filter(({ number }) => wanted?.has(number) ?? true).map(partMetrics);

/** An inverter behind a datalogger of its own that keeps fault records and tells them when it is asked. */
export class FaultRecordDevice {
  readonly edge: TestEdge;
  readonly sn: string;
  records: FaultRecord[] = [];
  /** Commands that reached it. */
  readonly heard: Command[] = [];
  /** Code with which it answers a reading. */
  code: ResultCodeNumber = ResultCode.ok;
  sending: Sending = asAsked;
  partBytes = 128;

  private constructor(edge: TestEdge, sn: string) {
    this.edge = edge;
    this.sn = sn;
  }

  static async connect(
    port: number,
    loggerSn: string,
    records: FaultRecord[] = [],
    options: Parameters<typeof TestEdge.connect>[2] = {},
  ): Promise<FaultRecordDevice> {
    const edge = await TestEdge.connect(port, loggerSn, options);
    const device = new FaultRecordDevice(edge, `INV${loggerSn}`);
    device.records = records;
    edge.client.on('message', (topic) => {
      const payload = edge.commands.at(-1);
      if (payload !== undefined && topic.includes('/DCMD/')) device.#hear(parseCommand(payload));
    });
    await device.birth();
    return device;
  }

  async birth(): Promise<void> {
    await this.edge.birth([{ name: 'Properties/Profile', datatype: DataType.String, value: 'PV-1' }]);
    await this.edge.deviceBirth(this.sn, 'inverter', [this.#newest()]);
  }

  /** Says that it has recorded. */
  announce(): Promise<void> {
    return this.tell([this.#newest()]);
  }

  tell(metrics: SparkplugMetric[]): Promise<void> {
    return this.edge.send('DDATA', this.sn, metrics);
  }

  async row(db: Kysely<Database>): Promise<{ deviceID: string; loggerID: string }> {
    return until(
      () =>
        db
          .selectFrom('devices')
          .select(['id as deviceID', 'logger_id as loggerID'])
          .where('sn', '=', this.sn)
          .executeTakeFirst(),
      'the row of the device',
    );
  }

  /** How often a record was asked for. */
  askedFor(index: number): number {
    return this.heard.filter(({ settings }) =>
      settings.some(({ name, value }) => name === RecordName.requestIndex && value === index),
    ).length;
  }

  end(): Promise<void> {
    return this.edge.end();
  }

  #newest(): SparkplugMetric {
    return { name: RecordName.newest, datatype: DataType.Int32, value: this.records.at(-1)?.index ?? 0 };
  }

  #hear(command: Command): void {
    this.heard.push(command);
    const { id = '', actions, settings } = command;
    const action = actions[0]?.action;
    if (action === 'FaultRecordList') {
      const list = this.records.map((record) => ({
        index: record.index,
        timeMs: record.timeMs,
        code: record.code,
        size: encodeFaultRecord(record).length,
      }));
      this.#send([...resultMetrics(id, this.code), ...(this.code === ResultCode.ok ? [recordListMetric(list)] : [])]);
    }
    if (action !== 'FaultRecordRead') return;
    const asked = (name: string) => settings.find((each) => each.name === name)?.value;
    const record = this.records.find(({ index }) => index === asked(RecordName.requestIndex));
    const code = record === undefined ? ResultCode.outOfRange : this.code;
    this.#send(resultMetrics(id, code));
    if (record === undefined || code !== ResultCode.ok) return;
    const parts = recordParts(record.index, encodeFaultRecord(record), this.partBytes);
    for (const metrics of this.sending(parts, wantedParts(asked(RecordName.requestParts)))) this.#send(metrics);
  }

  #send(metrics: SparkplugMetric[]): void {
    // A test may end before the last message is acknowledged.
    this.tell(metrics).catch(() => undefined);
  }
}
