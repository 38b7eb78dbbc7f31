import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { RefusedFields } from '@sonnenwarte/contract/envelope';
import {
  type ClaimedModule,
  type ClaimState,
  errnoOfClaim,
  type ModuleCheck,
} from '@sonnenwarte/contract/site-form/claimed-modules';
import type { siteFormEndpoints } from '@sonnenwarte/contract/site-form/site-form';
import { isDataloggerSn } from '@sonnenwarte/device-protocol/sparkplug/topics';
import type { Kysely, Transaction } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { CallError } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import type { Database } from '../stores/schema.ts';
import { type ClaimFacts, claimFacts, devicesBehind, linkDataloggers } from './claims.store.ts';
import { judgeKeys, type KeyVerdict } from './datalogger-keys.store.ts';

/** A row of dataloggers to be linked, judged. */
export interface JudgedModule {
  readonly sn: string;
  readonly state: ClaimState;
  readonly lockedUntil: Date | null;
  readonly identicalTo: number | null;
  readonly facts: ClaimFacts | undefined;
}

/** Judges whether somebody may link dataloggers; a wrong key counts against its serial number. */
export async function judgeModules(
  db: Kysely<Database>,
  scope: Scope,
  modules: readonly ClaimedModule[],
): Promise<JudgedModule[]> {
  const rows = modules.map(({ sn, key }) => ({ sn: sn.trim(), key: key.trim() }));
  const firstOf = new Map<string, number>();
  for (const [index, { sn }] of rows.entries()) if (!firstOf.has(sn)) firstOf.set(sn, index);
  const facts = await claimFacts(db, scope, [...firstOf.keys()].filter(isDataloggerSn));
  const needsKey = ({ sn }: { sn: string }, index: number): boolean => {
    const known = facts.get(sn);
    return known !== undefined && firstOf.get(sn) === index && !known.isLinked && !isOpen(known);
  };
  const verdicts = await judgeKeys(
    db,
    rows.filter((row, index) => row.key !== '' && needsKey(row, index)),
    (sn) => facts.get(sn)?.isRevoked === true,
  );
  return rows.map(({ sn, key }, index) => {
    const known = facts.get(sn);
    const first = firstOf.get(sn) ?? index;
    const judged = { sn, facts: known, lockedUntil: null, identicalTo: null };
    if (known === undefined) return { ...judged, state: 'invalid' };
    if (first !== index) return { ...judged, state: 'identical', identicalTo: first };
    if (known.isLinked) return { ...judged, state: 'exists' };
    if (isOpen(known)) return { ...judged, state: 'ready' };
    const verdict = verdicts.get(sn);
    if (key === '' || verdict === undefined) return { ...judged, state: 'keyNeeded' };
    return { ...judged, ...stateOf(verdict) };
  });
}

/** Whether it is linked without its key. */
const isOpen = ({ isOwn, isRevoked }: ClaimFacts): boolean => isOwn && !isRevoked;

function stateOf(verdict: KeyVerdict): Pick<JudgedModule, 'state' | 'lockedUntil'> {
  if (verdict === 'right') return { state: 'ready', lockedUntil: null };
  if (verdict === 'wrong') return { state: 'keyWrong', lockedUntil: null };
  return { state: 'locked', lockedUntil: verdict.lockedUntil };
}

type RefusedField = RefusedFields['fields'][number];

const refusedRow = (index: number, reason: string, params: RefusedField['params'] = {}): RefusedField => ({
  path: `modules.${index}.sn`,
  reason,
  params,
});

/** The rows that cannot be linked, as fields of the form. */
export const refusedRows = (modules: readonly JudgedModule[]): RefusedField[] =>
  modules.flatMap(({ state, lockedUntil, identicalTo }, index) => {
    if (state === 'ready') return [];
    if (state === 'exists') return [refusedRow(index, 'existed')];
    if (state === 'locked') return [refusedRow(index, state, { lockedUntilMs: lockedUntil?.getTime() ?? null })];
    return [refusedRow(index, state, identicalTo === null ? {} : { identicalTo })];
  });

/** Links dataloggers that were judged to be ready; refuses where somebody else was faster with one. */
export async function linkModules(
  tx: Transaction<Database>,
  modules: readonly JudgedModule[],
  site: { readonly id: string; readonly organisationID: string },
): Promise<{ id: string; sn: string }[]> {
  const linked = await linkDataloggers(
    tx,
    modules.map(({ sn }) => sn),
    site,
  );
  const byDatalogger = new Set(linked.map(({ sn }) => sn));
  const lost = modules.flatMap(({ sn }, index) => (byDatalogger.has(sn) ? [] : [refusedRow(index, 'existed')]));
  if (lost.length > 0) throw new CallError('refusedInput', { fields: lost });
  return linked;
}

/** Whether dataloggers could be linked, and what would come with them. */
export async function checkModules(
  { db }: Uses<'db'>,
  { modules }: Parsed<typeof siteFormEndpoints.checkModules>,
  { scope }: Scoped,
): Promise<Result<typeof siteFormEndpoints.checkModules>> {
  const judged = await judgeModules(db, scope, modules);
  const ready = judged.flatMap(({ state, facts }) => (state === 'ready' && facts?.id != null ? [facts.id] : []));
  const devices = await devicesBehind(db, ready);
  return {
    modules: judged.map(({ sn, state, lockedUntil, identicalTo, facts }): ModuleCheck => {
      const isReady = state === 'ready';
      const behind = isReady ? devices.filter(({ logger_id }) => logger_id === facts?.id) : [];
      return {
        sn,
        state,
        errno: errnoOfClaim(state),
        lockedUntilMs: lockedUntil?.getTime() ?? null,
        identicalTo,
        type: isReady ? (facts?.type ?? '') : '',
        devices: behind.map((device) => ({ sn: device.sn, kind: device.kind, model: device.model })),
      };
    }),
  };
}
