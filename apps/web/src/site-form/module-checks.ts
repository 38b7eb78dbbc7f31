import { errnoOfClaim, MOST_CLAIMED_MODULES, type ModuleCheck } from '@sonnenwarte/contract/site-form/claimed-modules';
import { checkModules } from '@sonnenwarte/contract/site-form/site-form';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../client/call.ts';
import type { ModuleValues } from './pasted-modules.ts';

/** What is known of an entered datalogger. */
export type RowCheck =
  | { readonly state: 'waiting' }
  /** The check could not be made. */
  | { readonly state: 'unread'; readonly error: unknown }
  | { readonly state: 'ready'; readonly type: string; readonly devices: ModuleCheck['devices'] }
  | {
      readonly state: 'wrong';
      readonly errno: number;
      /** The row with the same number. */
      readonly clashesWith?: number;
      readonly lockedUntilMs?: number;
      readonly reason: ModuleCheck['state'];
    };

export interface ModuleChecks {
  readonly checks: readonly RowCheck[];
  /** Asks again for those that are meant. */
  readonly again: (isMeant: (row: ModuleValues, check: RowCheck) => boolean) => void;
}

const keyOf = ({ sn, key }: ModuleValues): string => JSON.stringify({ sn, key });

const outcomeOf = ({ state, errno: number, lockedUntilMs, type, devices }: ModuleCheck): RowCheck =>
  state === 'ready'
    ? { state: 'ready', type, devices }
    : { state: 'wrong', errno: number, reason: state, ...(lockedUntilMs !== null && { lockedUntilMs }) };

/** Rows whose number stands in a row before, with that row. */
export function clashes(rows: readonly ModuleValues[]): ReadonlyMap<number, number> {
  const first = new Map<string, number>();
  const found = new Map<number, number>();
  for (const [at, { sn }] of rows.entries()) {
    const before = first.get(sn);
    if (before === undefined) first.set(sn, at);
    else if (sn !== '') found.set(at, before);
  }
  return found;
}

/** What time may have changed: it could not be checked, or was locked. */
export const mayHaveChanged = (_: ModuleValues, check: RowCheck): boolean =>
  check.state === 'unread' || (check.state === 'wrong' && check.reason === 'locked');

/**
 * Checks entered dataloggers, each of them once: a wrong key counts as a try, so that what is known of a row is never asked for
 * again while others change.
 */
export function useModuleChecks(rows: readonly ModuleValues[]): ModuleChecks {
  const [known, setKnown] = useState<ReadonlyMap<string, RowCheck>>(new Map());
  const asked = useRef(new Set<string>());
  const same = clashes(rows);

  useEffect(() => {
    const isNew = (row: ModuleValues, at: number) => row.sn !== '' && !same.has(at) && !asked.current.has(keyOf(row));
    const wanted = rows.filter(isNew).slice(0, MOST_CLAIMED_MODULES);
    if (wanted.length === 0) return;
    for (const row of wanted) asked.current.add(keyOf(row));
    const learn = (outcome: (at: number) => RowCheck | undefined) =>
      setKnown((before) => {
        const after = new Map(before);
        for (const [at, row] of wanted.entries()) {
          const check = outcome(at);
          if (check) after.set(keyOf(row), check);
        }
        return after;
      });
    call(checkModules, { modules: wanted.map(({ sn, key }) => ({ sn, key })) }, { inPlace: true }).then(
      ({ modules }) => learn((at) => modules[at] && outcomeOf(modules[at])),
      (error: unknown) => learn(() => ({ state: 'unread', error })),
    );
  });

  const again = useCallback((isMeant: (row: ModuleValues, check: RowCheck) => boolean) => {
    setKnown((before) => {
      const kept = [...before].filter(([key, check]) => !isMeant(JSON.parse(key) as ModuleValues, check));
      const after = new Map(kept);
      for (const key of before.keys()) if (!after.has(key)) asked.current.delete(key);
      return after.size === before.size ? before : after;
    });
  }, []);

  const checks = rows.map((row, at): RowCheck => {
    const before = same.get(at);
    if (before !== undefined)
      return { state: 'wrong', errno: errnoOfClaim('identical'), reason: 'identical', clashesWith: before };
    return known.get(keyOf(row)) ?? { state: 'waiting' };
  });
  return { checks, again };
}
