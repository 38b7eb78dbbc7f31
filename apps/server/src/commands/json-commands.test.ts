import { jsonTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import type { Kysely } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Database } from '../stores/schema.ts';
import { ownCommands } from '../testing/command-orders.ts';
import { until } from '../testing/edge.ts';
import { makePlant } from '../testing/ingestion.ts';
import { JsonDatalogger } from '../testing/json-datalogger.ts';

const own = ownCommands();
const LIMIT = 'Setting/ExportLimit';

interface Asked {
  readonly id: string;
  readonly op: string;
  readonly dev?: string;
  readonly args: Record<string, unknown>;
}

/** A logger on the JSON on-ramp with one inverter. */
class JsonPlant {
  readonly logger: JsonDatalogger;
  readonly heard: Asked[] = [];
  answer: (asked: Asked) => unknown = ({ id, dev, args }) => ({ id, dev, code: 0, msg: '', v: args });

  constructor(logger: JsonDatalogger) {
    this.logger = logger;
    logger.client.on('message', (_, payload) => {
      const asked = JSON.parse(payload.toString()) as Asked;
      this.heard.push(asked);
      const ack = this.answer(asked);
      if (ack !== undefined) logger.client.publish(jsonTopic(logger.sn, 'ack'), JSON.stringify(ack), { qos: 1 });
    });
  }

  static async connect(sn: string): Promise<JsonPlant> {
    const plant = new JsonPlant(await JsonDatalogger.connect(own.ingestion.port, sn));
    await plant.tell();
    await own.ingestion.drain();
    return plant;
  }

  get sn(): string {
    return `JSON${this.logger.sn}`;
  }

  tell(settings: Record<string, unknown> = {}): Promise<void> {
    return this.logger.tell({ dev: this.sn, kind: 'inverter', v: { 'AC/ActivePower': 500, ...settings } });
  }

  async listen(): Promise<void> {
    await this.logger.client.subscribeAsync(jsonTopic(this.logger.sn, 'cmd'), { qos: 1 });
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
}

const connected = async (): Promise<JsonPlant> => JsonPlant.connect((await makePlant(own.db)).sn);

describe('the JSON on-ramp', () => {
  it('takes commands as Sparkplug does, and its answer confirms them', async () => {
    const plant = await connected();
    await plant.listen();
    const id = await own.order(plant, { [LIMIT]: 3_000 });
    expect(await own.ended(id, 'confirmed')).toMatchObject({ code: 0, read_back: { [LIMIT]: 3_000 } });
    expect(plant.heard).toMatchObject([{ id, op: 'set', dev: plant.sn, args: { [LIMIT]: 3_000 } }]);
    await plant.logger.end();
  });

  it('is away while it does not listen: what was ordered comes as soon as it does', async () => {
    const plant = await connected();
    const id = await own.order(plant, { [LIMIT]: 3_000 });
    await own.settled();
    expect((await own.command(id)).state).toBe('queued');
    await plant.listen();
    await own.ended(id, 'confirmed');
    expect(plant.heard).toHaveLength(1);
    await plant.logger.end();
  });

  it('carries tables, readings and actions', async () => {
    const plant = await connected();
    await plant.listen();
    const rows = [{ start: 0, end: 60, days: 127, mode: 1, powerW: 1_000, minSoc: 10, fdSoc: 100 }];
    const table = await own.order(plant, {}, { content: { values: { 'Setting/Schedule': rows } } });
    expect(await own.ended(table, 'confirmed')).toMatchObject({ read_back: { 'Setting/Schedule': rows } });
    plant.answer = ({ id }) => ({ id, code: 0, v: { [LIMIT]: 4_000 } });
    const read = await own.order(plant, {}, { kind: 'read', content: { names: ['Setting/*'] } });
    expect(await own.ended(read, 'confirmed')).toMatchObject({ read_back: { [LIMIT]: 4_000 } });
    const action = await own.order(plant, {}, { kind: 'action', content: { action: 'Reboot' } });
    await own.ended(action, 'confirmed');
    expect(plant.heard.map(({ op, args }) => [op, args])).toEqual([
      ['set', { 'Setting/Schedule': rows }],
      ['get', { names: ['Setting/*'] }],
      ['action', { action: 'Reboot' }],
    ]);
    await plant.logger.end();
  });

  it('has restarted once it is back on a new connection, though it answers only then', async () => {
    const plant = await connected();
    await plant.listen();
    plant.answer = () => undefined;
    const { loggerID } = await plant.row(own.db);
    const [id = ''] = await own.orderAll([
      { loggerID, deviceID: null, kind: 'action', content: { action: 'Reboot' }, source: 'hand', orderedBy: null },
    ]);
    await until(() => plant.heard.length > 0);
    await plant.logger.end();
    const again = await JsonPlant.connect(plant.logger.sn);
    await again.listen();
    await again.logger.client.publishAsync(jsonTopic(plant.logger.sn, 'ack'), JSON.stringify({ id, code: 0, msg: '' }));
    await own.ended(id, 'confirmed');
    await again.logger.end();
  });

  it('is sent again under the same id, and refuses with code and words', async () => {
    const plant = await connected();
    await plant.listen();
    let times = 0;
    plant.answer = ({ id, dev }) => {
      times += 1;
      return times < 2 ? undefined : { id, dev, code: 3, msg: 'read-only' };
    };
    const id = await own.order(plant, { [LIMIT]: 3_000 });
    expect(await own.ended(id, 'refused')).toMatchObject({ code: 3, message: 'read-only', tries: 2 });
    expect(plant.heard.map((asked) => asked.id)).toEqual([id, id]);
    await plant.logger.end();
  });

  it('that answers nonsense ends nothing and stays connected', async () => {
    const plant = await connected();
    await plant.listen();
    const nonsense = [
      '{',
      '[]',
      '{"id":1,"code":0}',
      `{"id":"x","code":0,"v":{"Setting/A":[[1]]}}`,
      '{"id":"","code":0}',
    ];
    plant.answer = () => undefined;
    const id = await own.order(plant, { [LIMIT]: 3_000 });
    await until(() => plant.heard.length > 0);
    for (const text of [...nonsense, JSON.stringify({ id, code: 0, v: { [LIMIT]: [{ a: 'b' }] } })]) {
      await plant.logger.client.publishAsync(jsonTopic(plant.logger.sn, 'ack'), text, { qos: 1 });
    }
    await plant.logger.client.publishAsync(jsonTopic(plant.logger.sn, 'ack'), JSON.stringify({ id, code: 6 }), {
      qos: 1,
    });
    expect(await own.ended(id, 'refused')).toMatchObject({ code: 6 });
    expect(plant.logger.client.connected).toBe(true);
    await plant.logger.end();
  });

  it('tells settings among its readings', async () => {
    const plant = await connected();
    await plant.tell({ [LIMIT]: 2_500 });
    await until(() => own.setting(plant, LIMIT));
    expect(await own.setting(plant, LIMIT)).toMatchObject({ reported: 2_500, reported_by: 'data' });
    await plant.logger.end();
  });
});
