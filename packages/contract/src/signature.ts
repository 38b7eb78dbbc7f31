/** Four characters backslash r backslash n, not CR LF bytes. */
export const SIGNATURE_SEPARATOR = '\\r\\n';

/** Client id of the public web client of this API family. */
export const WEB_CLIENT_ID = '5245784';

export interface SignedParts {
  /** Path without host and query, as sent. */
  path: string;
  /** Session token, empty before sign-in. */
  token: string;
  lang: string;
  /** Unix milliseconds as sent in the `timestamp` header. */
  timestamp: string;
}

/** Text whose lower-case hex MD5, a dot and a client id make the `signature` header of a web call. */
export const signatureBase = ({ path, token, lang, timestamp }: SignedParts): string =>
  [path, token, lang, timestamp].join(SIGNATURE_SEPARATOR);

/** Text whose lower-case hex MD5 is the `signature` header of a call of the open API: no language, no client id. */
export const openSignatureBase = ({ path, token, timestamp }: Omit<SignedParts, 'lang'>): string =>
  [path, token, timestamp].join(SIGNATURE_SEPARATOR);
