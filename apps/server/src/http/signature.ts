import { createHash, timingSafeEqual } from 'node:crypto';
import { CLOCK_WINDOW_MS } from '@sonnenwarte/contract/limits';
import { signatureBase } from '@sonnenwarte/contract/signature';

export interface SignedHeaders {
  path: string;
  token: string;
  lang: string;
  timestamp: string;
  signature: string;
}

const pattern = /^([0-9a-f]{32})\.([0-9]{1,12})$/;

/** Whether the MD5 part fits the request and the clock lies within five minutes of ours. The client id may be any. */
export function isSigned({ path, token, lang, timestamp, signature }: SignedHeaders, nowMs: number): boolean {
  const parts = pattern.exec(signature);
  if (!parts?.[1] || !/^[0-9]{1,16}$/.test(timestamp)) return false;
  if (Math.abs(Number(timestamp) - nowMs) > CLOCK_WINDOW_MS) return false;
  const expected = createHash('md5').update(signatureBase({ path, token, lang, timestamp })).digest();
  return timingSafeEqual(Buffer.from(parts[1], 'hex'), expected);
}
