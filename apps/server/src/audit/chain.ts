import { createHash } from 'node:crypto';
import { type SealKey, sealOf } from '../stores/seal-keys.ts';

/** Fields of an audit entry that its hash covers, in this order; times in ISO form. */
export interface ChainedEntry {
  readonly id: number;
  readonly at: string;
  readonly log: string;
  readonly action: string;
  readonly actorAccountId: string | null;
  readonly actor: string;
  readonly actorLevel: number | null;
  readonly organisationPath: readonly string[];
  readonly recordKind: string;
  readonly recordId: string;
  readonly recordName: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
}

/** The hash before the first entry. */
export const CHAIN_START = Buffer.alloc(32);

/** JSON with the keys of every object in order, so that equal values have equal texts; what JSON leaves out is left out. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
    return `{${fields.join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}

/** SHA-256 over the previous hash and the entry: of the entries from before there was a key. */
export const plainHash = (previous: Buffer, entry: ChainedEntry): Buffer =>
  createHash('sha256').update(previous).update(canonicalJson(entry)).digest();

/** The same under a key, whose name is covered as well. */
export const sealedHash = (key: SealKey, previous: Buffer, entry: ChainedEntry): Buffer =>
  sealOf(key, 'entry', [previous, key.id, canonicalJson(entry)]);
