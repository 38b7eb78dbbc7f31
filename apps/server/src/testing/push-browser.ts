import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** The browser's side of web push (RFC 8291), for tests. */
export interface PushBrowser {
  readonly keys: { readonly p256dh: string; readonly auth: string };
  /** Text of a message; throws where it is for another browser. */
  read(body: Buffer): string;
}

const TAG_BYTES = 16;
const HEADER_BYTES = 21;

export function newBrowser(): PushBrowser {
  const ecdh = createECDH('prime256v1');
  const publicKey = ecdh.generateKeys();
  const auth = randomBytes(16);
  const derive = (secret: Buffer, salt: Buffer, about: Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, about, bytes));
  return {
    keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    read(body) {
      const salt = body.subarray(0, 16);
      const keyEnd = HEADER_BYTES + (body[HEADER_BYTES - 1] ?? 0);
      const senderKey = body.subarray(HEADER_BYTES, keyEnd);
      const about = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey]);
      const secret = derive(ecdh.computeSecret(senderKey), auth, about, 32);
      const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
      const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
      const decipher = createDecipheriv('aes-128-gcm', key, nonce);
      decipher.setAuthTag(body.subarray(-TAG_BYTES));
      const padded = Buffer.concat([decipher.update(body.subarray(keyEnd, -TAG_BYTES)), decipher.final()]);
      return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
    },
  };
}
