import type { dataloggerEndpoints } from '@sonnenwarte/contract/dataloggers/dataloggers';
import {
  type DataloggerCredential,
  type ImportProblem,
  MOST_TOLD_PROBLEMS,
} from '@sonnenwarte/contract/dataloggers/managing';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { type ErrorName, errno } from '@sonnenwarte/contract/errors';
import type { Kysely } from 'kysely';
import { pathOfOrganisation, recordAudit } from '../audit/audit.ts';
import { hashToken } from '../broker/credentials.ts';
import { judgeKeys, newDataloggerKey, noteDataloggers } from '../datalogger-keys/datalogger-keys.store.ts';
import { newToken } from '../datalogger-keys/tokens.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { partsOf } from '../in-slices.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { holdOrganisation, tenancyChanged } from '../tenancy/moves.ts';
import { Turns } from '../turns.ts';
import { importFacts, insertDataloggers, noteImporter } from './import.store.ts';
import { type ImportRow, readImport } from './import-file.ts';
import { organisationInScope, platformOrganisationOf } from './managed.store.ts';

type Calls = typeof dataloggerEndpoints;

const ROWS_AT_ONCE = 1_000;
const SAMPLE = 20;
const ADMIN = 255;

interface JudgedRow extends ImportRow {
  readonly refusal: ErrorName | undefined;
  /** The key that the manufacturer has printed stays. */
  readonly keepsKey: boolean;
}

/**
 * Judges the rows of a file. A number that the manufacturer has made a key for is imported by who gives it: whoever imported it without
 * would link it without. An administrator needs none.
 */
async function judged(db: Kysely<Database>, rows: readonly ImportRow[], level: number): Promise<JudgedRow[]> {
  const all: JudgedRow[] = [];
  const turns = new Turns();
  for (const part of partsOf(rows, ROWS_AT_ONCE)) {
    if (turns.isOver) await turns.giveBack();
    const facts = await importFacts(
      db,
      part.filter(({ problem }) => problem === undefined).map(({ sn }) => sn),
    );
    const needsKey = ({ sn, problem }: ImportRow) => {
      const known = facts.get(sn);
      return problem === undefined && known !== undefined && !known.isThere && !known.isImported && known.hasKey;
    };
    const tried = level === ADMIN ? [] : part.filter((row) => row.key !== '' && needsKey(row));
    const verdicts = await judgeKeys(db, tried, () => false);
    for (const row of part) {
      const known = facts.get(row.sn);
      const verdict = verdicts.get(row.sn);
      const refusal = (): ErrorName | undefined => {
        if (row.problem !== undefined) return row.problem;
        if (known === undefined) return undefined;
        if (known.isThere || known.isImported) return 'snExists';
        if (!needsKey(row) || level === ADMIN || verdict === 'right') return undefined;
        if (row.key === '') return 'snKeyNeeded';
        return verdict === 'wrong' ? 'snKeyWrong' : 'snLocked';
      };
      all.push({ ...row, refusal: refusal(), keepsKey: known?.hasKey === true });
    }
  }
  return all;
}

const problemsOf = (rows: readonly JudgedRow[]): ImportProblem[] =>
  rows
    .flatMap(({ line, sn, refusal }) => (refusal === undefined ? [] : [{ line, sn, errno: errno[refusal] }]))
    .slice(0, MOST_TOLD_PROBLEMS);

const isGood = ({ refusal }: JudgedRow): boolean => refusal === undefined;

/** What importing a file would do. */
export async function checkImport(
  { db }: Uses<'db'>,
  { file }: Parsed<Calls['importCheck']>,
  { actor }: CallContext,
): Promise<Result<Calls['importCheck']>> {
  const rows = await judged(db, await readImport(file), actor.level);
  const good = rows.filter(isGood);
  return {
    rows: rows.length,
    good: good.length,
    bad: rows.length - good.length,
    problems: problemsOf(rows),
    sample: good
      .slice(0, SAMPLE)
      .map(({ line, sn, type, model, key }) => ({ line, sn, type, model, hasKey: key !== '' })),
  };
}

/** Imports a file, all of it or what can be. */
export async function importFrom(
  { db }: Uses<'db'>,
  { file, onlyGood, organisationID }: Parsed<Calls['importFile']>,
  context: CallContext,
): Promise<Result<Calls['importFile']>> {
  const { actor, scope } = context;
  // Everybody else imports for the own organisation; one that is named would be passed over.
  if (actor.level !== ADMIN && organisationID !== undefined && organisationID !== actor.organisationID) {
    throw new CallError('noPermission');
  }
  const rows = await judged(db, await readImport(file), actor.level);
  const good = rows.filter(isGood);
  const refuse = (problems: readonly ImportProblem[]) => new CallError('importRefused', { problems });
  if (good.length === 0 || (good.length < rows.length && !onlyGood)) throw refuse(problemsOf(rows));
  return inTransaction(db, async (tx) => {
    const organisation = await organisationOf();
    await holdOrganisation(tx, organisation.id);
    const credentials: DataloggerCredential[] = [];
    const turns = new Turns();
    for (const part of partsOf(good, ROWS_AT_ONCE)) {
      if (turns.isOver) await turns.giveBack();
      const fresh = part.map((row) => ({ row, password: newToken() }));
      const made = await insertDataloggers(
        tx,
        organisation.id,
        fresh.map(({ row: { sn, type, model }, password }) => ({ sn, type, model, tokenHash: hashToken(password) })),
      );
      const taken = fresh.filter(({ row }) => made.has(row.sn));
      if (taken.length < fresh.length && !onlyGood) {
        throw refuse(problemsOf(part.map((row) => (made.has(row.sn) ? row : { ...row, refusal: 'snExists' }))));
      }
      const keyed = taken.map(({ row, password }) => ({
        ...row,
        password,
        key: row.key !== '' || row.keepsKey ? row.key : newDataloggerKey(),
      }));
      await noteDataloggers(
        tx,
        keyed.filter((row) => !row.keepsKey).map(({ sn, key }) => ({ sn, key, organisationID: organisation.id })),
      );
      await noteImporter(
        tx,
        organisation.id,
        keyed.filter((row) => row.keepsKey).map(({ sn }) => sn),
      );
      credentials.push(...keyed.map(({ sn, key, password }) => ({ sn, key, password })));
    }
    await tenancyChanged(tx);
    const imported = credentials.length;
    await recordAudit(tx, context, {
      log: 'operation',
      action: 'dataloggers.import',
      recordKind: 'organisation',
      recordId: organisation.id,
      recordName: organisation.name,
      organisationPath: await pathOfOrganisation(tx, organisation.id),
      after: { dataloggers: imported },
    });
    return { imported, skipped: rows.length - imported, credentials };

    async function organisationOf() {
      if (actor.level !== ADMIN) {
        return found(await organisationInScope(tx, scope, actor.organisationID), 'organisationNotFound');
      }
      const chosen =
        organisationID === undefined
          ? await platformOrganisationOf(tx)
          : await organisationInScope(tx, scope, organisationID);
      return found(chosen, 'organisationNotFound');
    }
  });
}
