import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';

/** Tags of DER, ITU-T X.690. */
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const GENERALIZED_TIME = 0x18;
const SEQUENCE = 0x30;
const SET = 0x31;
const TRUE = Buffer.from([0x01, 1, 0xff]);
const NAME_OF_HOST = 0x82;
const NAME_OF_ADDRESS = 0x87;

const COMMON_NAME = '2.5.4.3';
const BASIC_CONSTRAINTS = '2.5.29.19';
const KEY_IDENTIFIER = '2.5.29.14';
const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17';
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';

const DAY_MS = 86_400_000;

/** A key of P-256 and a certificate, X.509 v3 (RFC 5280), that it has signed itself. `names` are host names and addresses. */
export function selfSigned(names: readonly string[], nowMs: number, days: number): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const algorithm = der(SEQUENCE, objectId(ECDSA_WITH_SHA256));
  const name = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, objectId(COMMON_NAME), der(UTF8_STRING, Buffer.from(names[0] ?? 'localhost')))),
  );
  const body = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    der(SEQUENCE, time(nowMs - DAY_MS), time(nowMs + days * DAY_MS)),
    name,
    spki,
    der(
      0xa3,
      der(
        SEQUENCE,
        extension(BASIC_CONSTRAINTS, true, der(SEQUENCE, TRUE)),
        extension(KEY_IDENTIFIER, false, der(OCTET_STRING, createHash('sha256').update(spki).digest().subarray(0, 20))),
        extension(SUBJECT_ALTERNATIVE_NAME, false, der(SEQUENCE, ...names.map(alternativeName))),
      ),
    ),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), signed(body, privateKey));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(der(SEQUENCE, body, algorithm, signature)),
  };
}

const signed = (body: Buffer, key: KeyObject): Buffer => sign('sha256', body, key);

function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const bytes = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const groups = [part & 127];
    for (let left = part >>> 7; left > 0; left >>>= 7) groups.unshift((left & 127) | 128);
    bytes.push(...groups);
  }
  return der(OBJECT_ID, Buffer.from(bytes));
}

const extension = (id: string, isCritical: boolean, value: Buffer): Buffer =>
  der(SEQUENCE, objectId(id), isCritical ? TRUE : Buffer.alloc(0), der(OCTET_STRING, value));

/** RFC 5280 asks for UTCTime before 2050; every reader of today knows both. */
function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  const isShort = Number(text.slice(0, 4)) < 2050;
  return isShort ? der(0x17, Buffer.from(text.slice(2))) : der(GENERALIZED_TIME, Buffer.from(text));
}

function alternativeName(name: string): Buffer {
  if (isIP(name) === 0) return der(NAME_OF_HOST, Buffer.from(name, 'latin1'));
  return der(NAME_OF_ADDRESS, isIPv4(name) ? Buffer.from(name.split('.').map(Number)) : addressBytes(name));
}

function addressBytes(address: string): Buffer {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = Array.from({ length: 8 - first.length - last.length }, () => '0');
  const groups = [...first, ...gap, ...last].map((group) => Number.parseInt(group, 16));
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 255]));
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
