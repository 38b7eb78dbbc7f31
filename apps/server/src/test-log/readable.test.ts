import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { encodePayload, type SparkplugMetric } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Aliases, readMessage, WITHHELD } from './readable.ts';

const SN = '100000000000001';
const secretValue = fc.string({
  minLength: 12,
  maxLength: 30,
  unit: fc.constantFrom(...'ABCDEFGHJKLMNPQRSTUVWXYZ234567'),
});
const secretName = fc.constantFrom('Node Control/NewCredential', 'Setting/WifiPassword', 'Net/ApSecret', 'Auth/Token');

const holds = (read: ReturnType<typeof readMessage>, secret: string): boolean =>
  JSON.stringify(read).includes(secret) ||
  read.bytes.toString('latin1').includes(secret) ||
  JSON.stringify(read.readable).includes(secret);

test('a secret of a Sparkplug message is neither in what is read nor in the bytes, named or by its alias', () => {
  fc.assert(
    fc.property(secretName, secretValue, fc.boolean(), (name, secret, isByAlias) => {
      const aliases: Aliases = new Map();
      const birth = encodePayload({
        seq: 0,
        metrics: [{ name, alias: 7, datatype: DataType.String, value: null, isNull: true }],
      });
      readMessage(`spBv1.0/solar/NBIRTH/${SN}`, Buffer.from(birth), aliases);
      const metric: SparkplugMetric = {
        ...(isByAlias ? { alias: 7 } : { name }),
        datatype: DataType.String,
        value: secret,
      };
      const payload = encodePayload({ metrics: [metric, { name: 'Clock/Utc', datatype: DataType.Int64, value: 5 }] });
      const read = readMessage(`spBv1.0/solar/NCMD/${SN}`, Buffer.from(payload), aliases);
      expect(holds(read, secret)).toBe(false);
      expect(read.isWithheld).toBe(true);
      expect(read.readable.values).toEqual([
        [name, WITHHELD],
        ['Clock/Utc', '5'],
      ]);
    }),
  );
});

test('a secret of a JSON message is taken out wherever it stands', () => {
  fc.assert(
    fc.property(secretValue, (secret) => {
      for (const body of [
        { id: '1', op: 'action', args: { name: 'NewCredential', value: secret } },
        { id: '1', op: 'set', args: { 'Node Control/NewCredential': secret } },
        { id: '1', op: 'set', args: { password: { old: secret, list: [secret] } } },
        [{ op: 'newCredential', args: [secret] }],
      ]) {
        const read = readMessage(`pv/v1/${SN}/cmd`, Buffer.from(JSON.stringify(body)), new Map());
        expect([body, holds(read, secret)]).toEqual([body, false]);
        expect(read.isWithheld).toBe(true);
      }
    }),
  );
});

test('bytes that cannot be taken apart and name a secret are not kept at all', () => {
  const read = readMessage(
    `spBv1.0/solar/NCMD/${SN}`,
    Buffer.from('\xff\xffNewCredential ABCDEFGH', 'latin1'),
    new Map(),
  );
  expect(read.bytes).toHaveLength(0);
  expect(read.isWithheld).toBe(true);
});

test('whatever comes is read without an error, and what names no secret keeps its bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom('DDATA', 'NBIRTH', 'NCMD'), (bytes, type) => {
      const payload = Buffer.from(bytes);
      const read = readMessage(`spBv1.0/solar/${type}/${SN}${type === 'DDATA' ? '/INV' : ''}`, payload, new Map());
      expect(read.bytes.equals(payload) || read.isWithheld).toBe(true);
    }),
  );
});
