import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type SignedParts, signatureBase, WEB_CLIENT_ID } from '@sonnenwarte/contract/signature';

export const md5Hex = (text: string): string => bytesToHex(md5(utf8ToBytes(text)));

/** Signature of a web call: MD5 of path, token, language and time, a dot and the client id. */
export const signatureOf = (parts: SignedParts): string => `${md5Hex(signatureBase(parts))}.${WEB_CLIENT_ID}`;

export interface HeaderParts extends SignedParts {
  /** IANA name. */
  timezone: string;
  /** `false` for calls that the specification sends without token and signature. */
  signed: boolean;
}

/** Headers of every request (specification, section 7). */
export const headersOf = ({ path, token, lang, timestamp, timezone, signed }: HeaderParts): Record<string, string> => ({
  lang,
  timezone,
  timestamp,
  'content-type': 'application/json',
  ...(signed ? { token, signature: signatureOf({ path, token, lang, timestamp }) } : {}),
});
