import { createHash, timingSafeEqual } from 'node:crypto';
import { CLOCK_WINDOW_MS } from '@sonnenwarte/contract/limits';
import { openSignatureBase, signatureBase } from '@sonnenwarte/contract/signature';

export interface SignedHeaders {
  path: string;
  token: string;
  lang: string;
  timestamp: string;
  signature: string;
}

const pattern = /^([0-9a-f]{32})\.([0-9]{1,12})$/;
const openPattern = /^([0-9a-f]{32})$/;

const isRecent = (timestamp: string, nowMs: number): boolean =>
  /^[0-9]{1,16}$/.test(timestamp) && Math.abs(Number(timestamp) - nowMs) <= CLOCK_WINDOW_MS;

const fits = (md5Hex: string, base: string): boolean =>
  timingSafeEqual(Buffer.from(md5Hex, 'hex'), createHash('md5').update(base).digest());

/** Whether the MD5 part fits the request and the clock lies within five minutes of ours. The client id may be any. */
export function isSigned({ path, token, lang, timestamp, signature }: SignedHeaders, nowMs: number): boolean {
  const md5Hex = pattern.exec(signature)?.[1];
  return (
    md5Hex !== undefined && isRecent(timestamp, nowMs) && fits(md5Hex, signatureBase({ path, token, lang, timestamp }))
  );
}

/** The same of the open API: nothing but the MD5, and no language in it. */
export function isOpenSigned(
  { path, token, timestamp, signature }: Omit<SignedHeaders, 'lang'>,
  nowMs: number,
): boolean {
  const md5Hex = openPattern.exec(signature)?.[1];
  return (
    md5Hex !== undefined && isRecent(timestamp, nowMs) && fits(md5Hex, openSignatureBase({ path, token, timestamp }))
  );
}
