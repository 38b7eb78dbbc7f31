import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { jsonTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import mqttPacket from 'mqtt-packet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectBytes, publishBytes, RawMqtt } from '../testing/raw-mqtt.ts';

let child: ChildProcess;
let port: number;

beforeAll(async () => {
  child = fork(fileURLToPath(new URL('../testing/planted-faults-child.ts', import.meta.url)), { stdio: 'ignore' });
  [port] = (await once(child, 'message')) as [number];
});
afterAll(() => child?.kill());

async function counts(): Promise<Record<string, number>> {
  child.send('counts');
  const [told] = (await once(child, 'message')) as [Record<string, number>];
  return told;
}

const snOf = (digit: number) => `10000000000000${digit}`;
const messageOf = (sn: string) => publishBytes(jsonTopic(sn, 'up'), '{}', 1);

test.each([
  ['where a message is taken', 1],
  ["in the broker's step of letting a client in", 4],
  ["in a timer of the broker's", 5],
  ["in the broker's reading of a connection", 6],
])('an error %s ends that connection, is counted, and others go on', async (_, digit) => {
  const before = (await counts()).internal ?? 0;
  const good = await RawMqtt.open(port);
  good.write(Buffer.concat([connectBytes(snOf(0)), messageOf(snOf(0))]));
  await good.acknowledged(1);
  const broken = await RawMqtt.open(port);
  broken.write(connectBytes(snOf(digit)));
  await Promise.race([broken.packet(({ cmd }) => cmd === 'connack'), broken.closed]).catch(() => undefined);
  broken.write(messageOf(snOf(digit)));
  await broken.closed;
  expect((await counts()).internal).toBe(before + 1);
  good.write(publishBytes(jsonTopic(snOf(0), 'up'), '{}', 2));
  await good.acknowledged(2);
  expect(child.exitCode).toBeNull();
  await good.end();
});

test('an error of the check of a password is answered with "server unavailable"', async () => {
  const client = await RawMqtt.open(port);
  client.write(connectBytes(snOf(2)));
  await client.closed;
  expect(client.received).toMatchObject([{ cmd: 'connack', returnCode: 3 }]);
});

test('an acknowledgement that is an error, and a listener that throws, end their connection only', async () => {
  const client = await RawMqtt.open(port);
  client.write(Buffer.concat([connectBytes(snOf(3)), messageOf(snOf(3))]));
  await client.closed;
  const other = await RawMqtt.open(port);
  other.write(
    Buffer.concat([
      connectBytes(snOf(0)),
      mqttPacket.generate({
        cmd: 'subscribe',
        messageId: 1,
        subscriptions: [{ topic: jsonTopic(snOf(0), 'cmd'), qos: 1 }],
      }),
      mqttPacket.generate({ cmd: 'unsubscribe', messageId: 2, unsubscriptions: [jsonTopic(snOf(0), 'cmd')] }),
    ]),
  );
  await other.closed;
  expect(child.exitCode).toBeNull();
});
