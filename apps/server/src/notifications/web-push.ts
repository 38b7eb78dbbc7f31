import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  ECDH,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign,
} from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../stores/schema.ts';

/** Keys by which push services know this server (VAPID, RFC 8292). */
export interface VapidKeys {
  /** Uncompressed point, base64url. */
  readonly publicKey: string;
  readonly privateJwk: Readonly<{ kty: string; crv: string; x: string; y: string; d: string }>;
}

export interface PushTarget {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

const STATE = 'notifications.vapid';
const CURVE = 'prime256v1';
const RECORD_SIZE = 4_096;
const TOKEN_LIFE_S = 12 * 3_600;
const MESSAGE_LIFE_S = 24 * 3_600;
const LAST_RECORD = Buffer.from([2]);

/** The keys of this installation, made on first use: when its first server starts. */
export async function vapidKeys(db: Kysely<Database>): Promise<VapidKeys> {
  const kept = await keptKeys(db);
  if (kept) return kept;
  await db
    .insertInto('process_state')
    .values({ name: STATE, value: JSON.stringify(newVapidKeys()) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const made = await keptKeys(db);
  if (!made) throw new Error('the keys for web push were not kept');
  return made;
}

async function keptKeys(db: Kysely<Database>): Promise<VapidKeys | undefined> {
  const row = await db.selectFrom('process_state').select('value').where('name', '=', STATE).executeTakeFirst();
  return row?.value as VapidKeys | undefined;
}

/** Whether a browser's key is a point of the curve, uncompressed and base64url: only then a message can be sealed for it. */
export function isBrowserKey(p256dh: string): boolean {
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== 65 || point[0] !== 4) return false;
  try {
    ECDH.convertKey(point, CURVE);
    return true;
  } catch {
    return false;
  }
}

export function newVapidKeys(): VapidKeys {
  const { kty, crv, x, y, d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  if (!kty || !crv || !x || !y || !d) throw new Error('no key of the curve P-256 was made');
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return { publicKey: point.toString('base64url'), privateJwk: { kty, crv, x, y, d } };
}

const info = (name: string, ...parts: Buffer[]): Buffer => Buffer.concat([Buffer.from(`${name}\0`), ...parts]);
const derive = (secret: Buffer, salt: Buffer, about: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, about, bytes));

/** A message that only the browser of the subscription can read: one record of `aes128gcm` (RFC 8188, RFC 8291). */
export function encryptPush(
  text: string,
  { p256dh, auth }: PushTarget['keys'],
  own: { privateKey?: Buffer; salt?: Buffer } = {},
): Buffer {
  const browserKey = Buffer.from(p256dh, 'base64url');
  const ecdh = createECDH(CURVE);
  if (own.privateKey) ecdh.setPrivateKey(own.privateKey);
  else ecdh.generateKeys();
  const ownKey = ecdh.getPublicKey();
  const salt = own.salt ?? randomBytes(16);
  const keyInfo = info('WebPush: info', browserKey, ownKey);
  const secret = derive(ecdh.computeSecret(browserKey), Buffer.from(auth, 'base64url'), keyInfo, 32);
  const cipher = createCipheriv(
    'aes-128-gcm',
    derive(secret, salt, info('Content-Encoding: aes128gcm'), 16),
    derive(secret, salt, info('Content-Encoding: nonce'), 12),
  );
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.update(LAST_RECORD), cipher.final()]);
  const recordSize = Buffer.alloc(4);
  recordSize.writeUInt32BE(RECORD_SIZE);
  return Buffer.concat([salt, recordSize, Buffer.from([ownKey.length]), ownKey, sealed, cipher.getAuthTag()]);
}

/** Headers and body of a push message. `contact` is an address that the operator of a push service can write to. */
export function pushMessage(
  text: string,
  target: PushTarget,
  keys: VapidKeys,
  contact: string,
): { headers: Record<string, string>; body: Buffer } {
  return {
    body: encryptPush(text, target.keys),
    headers: {
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(MESSAGE_LIFE_S),
      urgency: 'normal',
      authorization: `vapid t=${vapidToken(new URL(target.endpoint).origin, keys, contact)}, k=${keys.publicKey}`,
    },
  };
}

function vapidToken(audience: string, { privateJwk }: VapidKeys, contact: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { aud: audience, exp: Math.floor(Date.now() / 1_000) + TOKEN_LIFE_S, sub: contact };
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`;
  const key = createPrivateKey({ key: { ...privateJwk }, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
