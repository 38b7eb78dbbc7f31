import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import { apiKeyEndpoints } from '@sonnenwarte/contract/api-keys/api-keys';
import { mqttAccessEndpoints } from '@sonnenwarte/contract/user-center/mqtt-access';
import { userManagementEndpoints } from '@sonnenwarte/contract/user-management/user-management';
import { dataloggerOfFilter, jsonTopic, sparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setPassword } from '../accounts/accounts.store.ts';
import { hashPassword, md5Hex } from '../accounts/passwords.ts';
import { until } from '../testing/edge.ts';
import { TEST_PASSWORD } from '../testing/ingestion.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { hashToken } from './credentials.ts';

const { state, setEnabled, renew } = mqttAccessEndpoints;
const SUBSCRIPTION_REFUSED = 128;

let portal: TestPortal;
let ownSn: string;
let foreignSn: string;
const clients: MqttClient[] = [];

const db = () => portal.server.stores.db;
const dataloggerOf = async (isOwn: boolean): Promise<string> => {
  const { sn } = await db()
    .selectFrom('loggers')
    .innerJoin('sites', 'sites.id', 'loggers.site_id')
    .leftJoin('accounts', 'accounts.id', 'sites.owner_account_id')
    .select('loggers.sn')
    .where((eb) => eb(eb.fn.coalesce('accounts.username', eb.val('')), isOwn ? '=' : '<>', 'owner'))
    .limit(1)
    .executeTakeFirstOrThrow();
  return sn;
};

beforeAll(async () => {
  portal = await startTestPortal();
  ownSn = await dataloggerOf(true);
  foreignSn = await dataloggerOf(false);
  await db()
    .updateTable('loggers')
    .set({ token_hash: hashToken(TEST_PASSWORD) })
    .where('sn', 'in', [ownSn, foreignSn])
    .execute();
});
afterAll(() => portal?.stop());

beforeEach(async () => {
  await db().updateTable('accounts').set({ api_mqtt_enable: false, disabled_at: null }).execute();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
});

async function connect(options: IClientOptions): Promise<MqttClient> {
  const client = await mqtt.connectAsync(
    `mqtt://127.0.0.1:${portal.server.mqttPort}`,
    { protocolVersion: 4, reconnectPeriod: 0, connectTimeout: 5_000, ...options },
    false,
  );
  clients.push(client);
  client.on('error', () => undefined);
  return client;
}

/** What an account with the access switched on connects with. */
async function accessOf(user: string): Promise<{ token: string; options: IClientOptions }> {
  const token = await portal.sessionOf(user);
  const { result } = await portal.call(setEnabled, { enabled: true }, { token });
  const key = await portal.apiKeyOf(user);
  return { token, options: { clientId: result.clientID, username: user, password: key } };
}

const datalogger = (sn: string) => connect({ clientId: sn, username: sn, password: TEST_PASSWORD });
const closing = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', () => resolve()));
const message = (client: MqttClient) =>
  new Promise<string>((resolve) => client.once('message', (topic, payload) => resolve(`${topic} ${payload}`)));

const granted = (client: MqttClient, topic: string): Promise<number | undefined> =>
  client.subscribeAsync(topic).then(
    ([grant]) => grant?.qos,
    () => SUBSCRIPTION_REFUSED,
  );

describe('the MQTT access of an account', () => {
  test('is off by default, and on with the client id that the account keeps', async () => {
    const token = await portal.sessionOf('installer');
    const before = await portal.call(state, {}, { token });
    expect(before.result).toMatchObject({ enabled: false, clientID: '', broker: 'embedded' });
    expect(before.result.port).toBe(portal.server.mqttPort);
    const { options } = await accessOf('installer');
    expect(options.clientId).toMatch(/^u-[0-9a-f]{20}$/);
    await connect(options);
    await portal.call(setEnabled, { enabled: false }, { token });
    await expect(connect(options)).rejects.toThrow(/Not authorized/);
    expect((await accessOf('installer')).options.clientId).toBe(options.clientId);
    await connect(options);
  });

  test('needs the client id, the user name and a key of the same account', async () => {
    const { options } = await accessOf('owner');
    const { options: others } = await accessOf('installer');
    for (const wrong of [
      { username: 'installer' },
      { password: others.password },
      { clientId: others.clientId },
      { password: 'sonnenwarte' },
      { clientId: ownSn },
    ] as IClientOptions[]) {
      await expect(connect({ ...options, ...wrong })).rejects.toThrow(/Not authorized/);
    }
    await connect(options);
  });

  test('reads what its own loggers send, on both kinds of topics', async () => {
    const { options } = await accessOf('owner');
    const client = await connect(options);
    expect(await granted(client, `spBv1.0/solar/+/${ownSn}/#`)).toBe(0);
    expect(await granted(client, `pv/v1/${ownSn}/#`)).toBe(0);
    const speaker = await datalogger(ownSn);
    for (const topic of [jsonTopic(ownSn, 'up'), sparkplugTopic('solar', 'NDATA', ownSn)]) {
      const told = message(client);
      await speaker.publishAsync(topic, '{"n":1}');
      expect(await told).toBe(`${topic} {"n":1}`);
    }
  });

  test('hears nothing of what a logger is told to do, a new password among it, however it asks', async () => {
    const { options } = await accessOf('owner');
    const client = await connect(options);
    const commands = [sparkplugTopic('solar', 'NCMD', ownSn), sparkplugTopic('solar', 'DCMD', ownSn, 'INV1')];
    for (const filter of [`spBv1.0/solar/+/${ownSn}/#`, `pv/v1/${ownSn}/#`, ...commands, jsonTopic(ownSn, 'cmd')])
      expect(await granted(client, filter)).toBe(0);
    const speaker = await datalogger(ownSn);
    const obeyed: string[] = [];
    const all = new Promise<void>((resolve) =>
      speaker.on('message', (topic) => {
        obeyed.push(topic);
        if (obeyed.length === commands.length) resolve();
      }),
    );
    for (const topic of commands) await speaker.subscribeAsync(topic, { qos: 1 });
    const heard: string[] = [];
    client.on('message', (topic) => heard.push(topic));
    const told = { timestampMs: Date.now(), metrics: [] };
    for (const device of [undefined, 'INV1']) await portal.server.ingestion.sendCommand(ownSn, device, told);
    await all;
    const last = message(client);
    await speaker.publishAsync(jsonTopic(ownSn, 'up'), '{"n":2}');
    await last;
    expect(obeyed.sort()).toEqual([...commands].sort());
    expect(heard).toEqual([jsonTopic(ownSn, 'up')]);
  });

  test('names one logger in its scope: foreign ones, unknown ones and wildcards over several are refused', async () => {
    const { options } = await accessOf('owner');
    const client = await connect(options);
    for (const filter of [
      `spBv1.0/solar/+/${foreignSn}/#`,
      `pv/v1/${foreignSn}/#`,
      'pv/v1/999999999999999/#',
      'spBv1.0/solar/+/+/#',
      'spBv1.0/+/+/+/#',
      `+/solar/+/${ownSn}/#`,
      `spBv1.0/+/+/${ownSn}/#`,
      `+/v1/${ownSn}/#`,
      'spBv1.0/#',
      'pv/#',
      'pv/v1/+/up',
      '#',
      '+/#',
      '$SYS/#',
      `$share/all/pv/v1/${ownSn}/#`,
    ]) {
      expect([filter, await granted(client, filter)]).toEqual([filter, SUBSCRIPTION_REFUSED]);
    }
    expect(dataloggerOfFilter(`pv/v1/${ownSn}/up`)).toBe(ownSn);
  });

  test('of an organisation reaches the loggers of its tree', async () => {
    const { options } = await accessOf('distributor');
    expect(await granted(await connect(options), `pv/v1/${ownSn}/#`)).toBe(0);
  });

  test('never publishes: the broker hangs up, and neither a reader nor the ingestion gets anything', async () => {
    const { options } = await accessOf('owner');
    const { options: reading } = await accessOf('distributor');
    const reader = await connect(reading);
    await reader.subscribeAsync(`pv/v1/${ownSn}/#`);
    const got = message(reader);
    await portal.server.ingestion.drain();
    const before = await db().selectFrom('loggers').select('last_seen_at').where('sn', '=', ownSn).executeTakeFirst();
    for (const topic of [jsonTopic(ownSn, 'up'), jsonTopic(ownSn, 'cmd')]) {
      const client = await connect({
        ...options,
        will: { topic, payload: Buffer.from('{"forged":"will"}'), qos: 1, retain: true },
      });
      const closed = closing(client);
      client.publish(topic, '{"forged":true}', { qos: 1, retain: true }, () => undefined);
      await closed;
    }
    await portal.server.ingestion.drain();
    expect(await db().selectFrom('loggers').select('last_seen_at').where('sn', '=', ownSn).executeTakeFirst()).toEqual(
      before,
    );
    await (await datalogger(ownSn)).publishAsync(jsonTopic(ownSn, 'up'), '{"true":1}');
    expect(await got).toBe(`${jsonTopic(ownSn, 'up')} {"true":1}`);
  });

  test('is not counted among the loggers', async () => {
    const { options } = await accessOf('owner');
    const client = await connect(options);
    await client.subscribeAsync(`pv/v1/${ownSn}/#`);
    const told = message(client);
    await (await datalogger(ownSn)).publishAsync(jsonTopic(ownSn, 'up'), '{}');
    await told;
    await until(() => portal.server.ingestion.state().connectedDataloggers === 1, 'one logger, and no more');
    expect(client.connected).toBe(true);
  });
});

describe('a connection ends', () => {
  const idOf = async (username: string) =>
    (await db().selectFrom('accounts').select('id').where('username', '=', username).executeTakeFirstOrThrow()).id;
  const disable = (user: string) =>
    db().updateTable('accounts').set({ disabled_at: new Date() }).where('username', '=', user).execute();
  const moveAway = async () => {
    const { site_id } = await db()
      .selectFrom('loggers')
      .select('site_id')
      .where('sn', '=', ownSn)
      .executeTakeFirstOrThrow();
    const { owner_account_id } = await db()
      .selectFrom('sites')
      .select('owner_account_id')
      .where('id', '=', site_id ?? '')
      .executeTakeFirstOrThrow();
    const setOwner = (id: string | null) =>
      db()
        .updateTable('sites')
        .set({ owner_account_id: id })
        .where('id', '=', site_id ?? '')
        .execute();
    await setOwner(null);
    return () => setOwner(owner_account_id);
  };

  test.each([
    [
      'when its key is revoked',
      async (token: string, key: string) => {
        const { result } = await portal.call(apiKeyEndpoints.list, {}, { token });
        const { id = '' } = result.keys.find(({ prefix }) => key.startsWith(prefix)) ?? {};
        expect((await portal.call(apiKeyEndpoints.revoke, { id }, { token })).errno).toBe(0);
      },
    ],
    ['when the account is disabled', async () => void (await disable('owner'))],
    [
      'when the access is switched off',
      async (token: string) => void (await portal.call(setEnabled, { enabled: false }, { token })),
    ],
    ['when the client id is renewed', async (token: string) => void (await portal.call(renew, {}, { token }))],
    ['when a logger that it reads leaves its scope', async () => moveAway()],
    [
      'when an administrator resets the password',
      async () => {
        const id = await idOf('owner');
        const token = await portal.sessionOf('admin');
        expect((await portal.call(userManagementEndpoints.resetPassword, { id }, { token })).errno).toBe(0);
        return () => setPassword(db(), id, '-');
      },
    ],
    [
      'when the owner changes the password and cuts off programs',
      async (token: string) => {
        await setPassword(db(), await idOf('owner'), await hashPassword(md5Hex('old-and-known')));
        const input = { oldPassword: 'old-and-known', newPassword: 'wind-and-sun', endPrograms: true };
        expect((await portal.call(accountEndpoints.changePassword, input, { token })).errno).toBe(0);
      },
    ],
  ])('%s', { timeout: 20_000 }, async (_, act) => {
    const { token, options } = await accessOf('owner');
    const client = await connect(options);
    expect(await granted(client, `pv/v1/${ownSn}/#`)).toBe(0);
    const closed = closing(client);
    const restore = await act(token, String(options.password));
    await closed;
    expect(client.connected).toBe(false);
    await restore?.();
  });
});

test('wrong keys slow down nobody who has signed in from the same network before', async () => {
  const { options } = await accessOf('owner');
  await connect(options);
  const wrong = { ...options, password: 'f'.repeat(64) };
  for (let count = 0; count < 12; count += 1) await expect(connect(wrong)).rejects.toThrow(/Not authorized/);
  await connect(options);
});

test('wrong keys under a client id that has never signed in are soon refused unread, the right one too', async () => {
  const { token, options } = await accessOf('owner');
  await portal.call(renew, {}, { token });
  const clientId = (await portal.call(state, {}, { token })).result.clientID;
  const wrong = { ...options, clientId, password: 'f'.repeat(64) };
  for (let count = 0; count < 12; count += 1) await expect(connect(wrong)).rejects.toThrow(/Not authorized/);
  await expect(connect({ ...options, clientId })).rejects.toThrow(/Not authorized/);
});
