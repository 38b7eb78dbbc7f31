import { settingMetric } from '@sonnenwarte/device-protocol/points/setting-values';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import type { PropertySet, SparkplugMetric } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import type { Kysely } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Database } from '../stores/schema.ts';
import { ownCommands } from '../testing/command-orders.ts';
import { TestEdge, until } from '../testing/edge.ts';
import { makePlant } from '../testing/ingestion.ts';

const own = ownCommands();
const NAME = 'Outputs/PowerCap';
const ALIAS = 77;

/** A device of somebody else's making: it knows Sparkplug and nothing of our commands. */
class PlainDevice {
  readonly edge: TestEdge;
  readonly sn: string;
  readonly heard: SparkplugMetric[][] = [];
  value = 8_000;
  /** Properties that its births tell of the metric. */
  properties: PropertySet | undefined;
  takes: (metric: SparkplugMetric) => void = () => undefined;

  constructor(edge: TestEdge, sn: string) {
    this.edge = edge;
    this.sn = sn;
    edge.client.on('message', (topic) => {
      const metrics = edge.commands.at(-1)?.metrics ?? [];
      if (topic.includes('/NCMD/')) this.birth().catch(() => undefined);
      if (!topic.includes('/DCMD/')) return;
      this.heard.push(metrics);
      for (const metric of metrics) this.takes(metric);
    });
  }

  static async connect(alias?: number): Promise<PlainDevice> {
    const { sn } = await makePlant(own.db);
    const edge = await TestEdge.connect(own.ingestion.port, sn);
    const device = new PlainDevice(edge, `PLAIN${sn}`);
    device.#alias = alias;
    await device.birth();
    await own.ingestion.drain();
    return device;
  }

  #alias: number | undefined;

  async birth(): Promise<void> {
    await this.edge.birth();
    await this.edge.deviceBirth(this.sn, 'inverter', [
      {
        name: NAME,
        datatype: DataType.Float,
        value: this.value,
        ...(this.#alias !== undefined && { alias: this.#alias }),
        ...(this.properties !== undefined && { properties: this.properties }),
      },
      { name: 'AC/ActivePower', datatype: DataType.Float, value: 100 },
    ]);
  }

  tell(): void {
    const metric = { ...settingMetric(NAME, this.value), datatype: DataType.Float };
    const { name: _, ...byAlias } = { ...metric, alias: this.#alias };
    // A test may end before the last of them is acknowledged.
    this.edge.send('DDATA', this.sn, [this.#alias === undefined ? metric : byAlias]).catch(() => undefined);
  }

  async row(db: Kysely<Database>) {
    return until(() =>
      db
        .selectFrom('devices')
        .select(['id as deviceID', 'logger_id as loggerID'])
        .where('sn', '=', this.sn)
        .executeTakeFirst(),
    );
  }

  end(): Promise<void> {
    return this.edge.end();
  }
}

describe('a plain Sparkplug device', () => {
  it('is written without a word of ours, and its echo confirms it', async () => {
    const device = await PlainDevice.connect();
    device.takes = ({ value }) => {
      device.value = Number(value);
      device.tell();
    };
    const id = await own.order(device, { [NAME]: 6_000 });
    expect(await own.ended(id, 'confirmed')).toMatchObject({ code: null, read_back: { [NAME]: 6_000 } });
    expect(device.heard).toMatchObject([[{ name: NAME, value: 6_000, datatype: DataType.Float }]]);
    expect(await own.setting(device, NAME)).toMatchObject({ reported: 6_000, desired: 6_000 });
    await device.end();
  });

  it('is written and understood by aliases where its birth has them', async () => {
    const device = await PlainDevice.connect(ALIAS);
    device.takes = ({ value }) => {
      device.value = Number(value);
      device.tell();
    };
    const id = await own.order(device, { [NAME]: 5_500 });
    await own.ended(id, 'confirmed');
    expect(device.heard).toHaveLength(1);
    expect(device.heard[0]?.[0]).toMatchObject({ alias: ALIAS, value: 5_500 });
    expect(device.heard[0]?.[0]?.name).toBeUndefined();
    await device.end();
  });

  it('that tells something else has not taken it', async () => {
    const device = await PlainDevice.connect();
    // What it had before is known by then.
    device.takes = ({ value }) => {
      device.value = Number(value);
      device.tell();
    };
    await own.ended(await own.order(device, { [NAME]: 7_000 }), 'confirmed');
    device.takes = () => {
      device.value = 6_500;
      device.tell();
    };
    const id = await own.order(device, { [NAME]: 5_000 });
    expect(await own.ended(id, 'differs')).toMatchObject({ read_back: { [NAME]: 6_500 } });
    await device.end();
  });

  it('that goes on telling what it had has refused it, once all tries are over', async () => {
    const device = await PlainDevice.connect();
    device.takes = () => device.tell();
    const id = await own.order(device, { [NAME]: 5_000 });
    expect(await own.ended(id, 'refused')).toMatchObject({ code: null, tries: 3 });
    await device.end();
  });

  it('that says nothing is given up: whether it was done is not known', async () => {
    const device = await PlainDevice.connect();
    const id = await own.order(device, { [NAME]: 5_000 });
    expect(await own.ended(id, 'timedOut')).toMatchObject({ tries: 3 });
    await device.end();
  });

  it('is read by its birth', async () => {
    const device = await PlainDevice.connect();
    const id = await own.order(device, {}, { kind: 'read', content: { names: ['Outputs/*'] } });
    expect(await own.ended(id, 'confirmed')).toMatchObject({ read_back: { [NAME]: 8_000 } });
    await device.end();
  });

  it('is sent nothing that its birth does not let be written, and what it lets', async () => {
    const device = await PlainDevice.connect();
    device.takes = ({ value }) => {
      device.value = Number(value);
      device.tell();
    };
    const bound = (value: number) => ({ type: DataType.Double, value });
    device.properties = { engLow: bound(1_000), engHigh: bound(9_000) };
    await device.birth();
    await own.ingestion.drain();
    for (const beyond of [999, 9_001]) {
      expect(await own.ended(await own.order(device, { [NAME]: beyond }), 'refused')).toMatchObject({ code: 2 });
    }
    expect(device.heard).toEqual([]);
    await own.ended(await own.order(device, { [NAME]: 9_000 }), 'confirmed');
    device.properties = { readOnly: { type: DataType.Boolean, value: true } };
    await device.birth();
    await own.ingestion.drain();
    expect(await own.ended(await own.order(device, { [NAME]: 5_000 }), 'refused')).toMatchObject({ code: 3 });
    expect(device.heard).toHaveLength(1);
    await device.end();
  });

  it('is not told to do what it has no word for', async () => {
    const device = await PlainDevice.connect();
    const id = await own.order(device, {}, { kind: 'action', content: { action: 'Reboot' } });
    expect(await own.ended(id, 'refused')).toMatchObject({ code: 1 });
    expect(device.heard).toEqual([]);
    await device.end();
  });
});
