import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Logger } from 'pino';
import { type Config, ConfigError } from '../config.ts';
import { selfSigned } from './self-signed.ts';

export interface Pair {
  readonly key: Buffer;
  readonly cert: Buffer;
}

/** The certificate of the broker, followed on disk. */
export interface BrokerCertificate {
  current(): Pair;
  /** SHA-256 of the certificate, as tools show it. */
  fingerprint(): string;
  onChange(listener: (pair: Pair) => void): void;
  stop(): void;
}

type CertificateSettings = Pick<Config, 'tlsCert' | 'tlsKey' | 'dataDir' | 'host' | 'publicUrl'>;

const OWN_FOLDER = 'tls';
const OWN_DAYS = 3_650;
const SOON_DAYS = 14;
const DAY_MS = 86_400_000;

/**
 * The certificate that the settings name, else one of this data folder, made at first use. Throws ConfigError. When the files change
 * the new ones are used from then on; where they cannot be, the old ones still are.
 */
export function openCertificate(settings: CertificateSettings, logger: Logger, lookAgainMs: number): BrokerCertificate {
  const files = settings.tlsCert === undefined ? ownFiles(settings) : namedFiles(settings);
  const listeners: ((pair: Pair) => void)[] = [];
  let pair = readPair(files);
  let seen = stampOf(files);
  warnOfEnd(pair, files, logger);
  const look = () => {
    const stamp = stampOf(files);
    if (stamp === seen) return;
    seen = stamp;
    try {
      pair = readPair(files);
    } catch (error) {
      // Perhaps one of the two is still to come.
      logger.error({ err: error }, 'the new certificate of the broker cannot be used; the one before stays');
      return;
    }
    logger.info({ fingerprint: fingerprintOf(pair) }, 'the broker has a new certificate');
    warnOfEnd(pair, files, logger);
    for (const listener of listeners) listener(pair);
  };
  const timer = setInterval(look, lookAgainMs);
  timer.unref();
  return {
    current: () => pair,
    fingerprint: () => fingerprintOf(pair),
    onChange: (listener) => listeners.push(listener),
    stop: () => clearInterval(timer),
  };
}

interface Files {
  cert: string;
  key: string;
}

function namedFiles({ tlsCert = '', tlsKey = '' }: CertificateSettings): Files {
  return { cert: path.resolve(tlsCert), key: path.resolve(tlsKey) };
}

function ownFiles(settings: CertificateSettings): Files {
  const folder = path.join(settings.dataDir, OWN_FOLDER);
  const files = { cert: path.join(folder, 'broker.crt'), key: path.join(folder, 'broker.key') };
  const isThere = [files.cert, files.key].map((file) => statSync(file, { throwIfNoEntry: false }) !== undefined);
  if (isThere.every(Boolean)) return files;
  const made = selfSigned(namesOf(settings), Date.now(), OWN_DAYS);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The certificate last: where it is, its key is too.
  replace(files.key, made.key);
  replace(files.cert, made.cert);
  return files;
}

function namesOf({ host, publicUrl }: CertificateSettings): string[] {
  const names = [hostname(), 'localhost', '127.0.0.1', '::1', host, URL.parse(publicUrl ?? '')?.hostname ?? ''];
  const plain = names.map((name) => name.replaceAll(/[[\]]/g, '').toLowerCase());
  return [...new Set(plain.filter((name) => /^[\da-z._:-]{1,63}$/.test(name) && name !== '0.0.0.0' && name !== '::'))];
}

function replace(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

function readPair(files: Files): Pair {
  const pair = { cert: read('TLS_CERT', files.cert), key: read('TLS_KEY', files.key) };
  const cert = parsed('TLS_CERT', files.cert, 'a certificate in PEM form', () => new X509Certificate(pair.cert));
  const key = parsed('TLS_KEY', files.key, 'a private key in PEM form, without a password', () =>
    createPrivateKey(pair.key),
  );
  if (!cert.checkPrivateKey(key)) {
    throw new ConfigError(`TLS_KEY is "${files.key}": it is not the key of the certificate TLS_CERT, "${files.cert}".`);
  }
  if (Date.parse(cert.validTo) <= Date.now()) {
    throw new ConfigError(`TLS_CERT is "${files.cert}": it has been valid until ${cert.validTo} only.`);
  }
  parsed('TLS_CERT', files.cert, 'a certificate that this server can use', () => createSecureContext(pair));
  return pair;
}

function read(variable: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`;
    throw new ConfigError(`${variable} is "${file}": ${why}.`, { cause: error });
  }
}

function parsed<T>(variable: string, file: string, what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new ConfigError(`${variable} is "${file}": it must hold ${what}.`, { cause: error });
  }
}

function stampOf({ cert, key }: Files): string {
  return [cert, key]
    .map((file) => statSync(file, { throwIfNoEntry: false }))
    .map((stat) => `${stat?.ino} ${stat?.size} ${stat?.mtimeMs}`)
    .join(' ');
}

const fingerprintOf = ({ cert }: Pair): string => new X509Certificate(cert).fingerprint256;

function warnOfEnd({ cert }: Pair, files: Files, logger: Logger): void {
  const { validTo } = new X509Certificate(cert);
  if (Date.parse(validTo) - Date.now() > SOON_DAYS * DAY_MS) return;
  logger.warn({ file: files.cert, validTo }, 'the certificate of the broker ends soon');
}
