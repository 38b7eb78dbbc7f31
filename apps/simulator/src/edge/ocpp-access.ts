import { readFileSync } from 'node:fs';
import { UsageError } from '../arguments.ts';
import type { OcppAccess } from './ocpp-pile.ts';

/** Reads which piles of a fleet speak OCPP, and where they dial in. Throws UsageError. */
export function readOcppPiles(path: string): Map<string, OcppAccess> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`--piles ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!Array.isArray(content)) throw new UsageError(`--piles ${path}: no list`);
  return new Map(
    content.map((each: Partial<Record<string, unknown>>) => {
      const { sn, address, password } = each;
      const isWhole = typeof sn === 'string' && typeof address === 'string' && typeof password === 'string';
      if (!isWhole || !/^wss?:\/\/\S+\/[^/\s]+$/.test(address))
        throw new UsageError(`--piles ${path}: a pile has sn, address (ws://host/ocpp/<id>) and password`);
      return [sn, { address, password }];
    }),
  );
}
