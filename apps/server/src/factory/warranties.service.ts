import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { factoryEndpoints } from '@sonnenwarte/contract/factory/factory';
import { MOST_WARRANTIES, type WarrantyRow } from '@sonnenwarte/contract/factory/warranties';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { orTaken } from '../http/unique-violation.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type Asked, toRows } from '../stores/lists.ts';
import { manufacturerStays } from './manufacturers.store.ts';
import { askToReckon, reckonNow } from './reckoning.ts';
import { recordFactory } from './recorded.ts';
import {
  countWarranties,
  deleteWarranty,
  insertWarranty,
  updateWarranty,
  type WarrantyFacts,
  warrantiesFound,
  warrantyForChange,
} from './warranties.store.ts';

type Calls = typeof factoryEndpoints;
type Used = Uses<'db' | 'nowMs'>;
type Tx = Parameters<typeof warrantyForChange>[0];

const termIsTaken = { model_warranties_of_model: 'model' };

export async function warrantyRows({ db }: Uses<'db'>, input: Asked<Calls['warrantyList']>) {
  return toRows(
    await warrantiesFound(db, input),
    (row): WarrantyRow => ({
      warrantyID: row.id,
      model: row.model,
      kind: row.kind,
      manufacturerID: row.manufacturer_id,
      manufacturer: row.manufacturer ?? '',
      months: row.months,
      begins: row.begins,
      latestMonths: row.latest_months,
      note: row.note,
      changedMs: row.changed_at.getTime(),
    }),
  );
}

/** As it is stored; what begins at delivery needs no bound. */
async function checked(tx: Tx, input: Parsed<Calls['warrantyAdd']>): Promise<WarrantyFacts> {
  const { model, kind, manufacturerID, months, begins, latestMonths, note } = input;
  if (manufacturerID !== null) found(await manufacturerStays(tx, manufacturerID), 'manufacturerNotFound');
  return {
    model,
    kind,
    manufacturer_id: manufacturerID,
    months,
    begins,
    latest_months: begins === 'delivery' ? null : latestMonths,
    note,
  };
}

const told = ({ model, kind, manufacturer_id, months, begins, latest_months, note }: WarrantyFacts) => ({
  model,
  kind,
  manufacturerID: manufacturer_id,
  months,
  begins,
  latestMonths: latest_months,
  note,
});

const recordOf = (id: string, name: string) => ({ kind: 'modelWarranty', id, name }) as const;

/** Models whose units are another day warranted after a change. */
const modelsOf = (...terms: readonly { readonly model: string }[]): string[] => [
  ...new Map(terms.map(({ model }) => [model.toLowerCase(), model])).values(),
];

/** Changes a term; its units follow. */
async function changing<T>(db: Used['db'], change: (tx: Tx) => Promise<{ models: string[]; result: T }>): Promise<T> {
  const { models, result } = await orTaken(termIsTaken, () =>
    inTransaction(db, async (tx) => {
      const done = await change(tx);
      await askToReckon(tx, done.models);
      return done;
    }),
  );
  await reckonNow(db, models);
  return result;
}

export const addWarranty = (
  { db, nowMs }: Used,
  input: Parsed<Calls['warrantyAdd']>,
  context: CallContext,
): Promise<Result<Calls['warrantyAdd']>> =>
  changing(db, async (tx) => {
    if ((await countWarranties(tx)) >= MOST_WARRANTIES) throw new CallError('tooManyFactoryRecords');
    const facts = await checked(tx, input);
    const warrantyID = await insertWarranty(tx, facts, new Date(nowMs()));
    await recordFactory(tx, context, 'factory.addWarranty', recordOf(warrantyID, facts.model), { after: told(facts) });
    return { models: modelsOf(facts), result: { warrantyID } };
  });

export const editWarranty = (
  { db, nowMs }: Used,
  { warrantyID: id, ...input }: Parsed<Calls['warrantyEdit']>,
  context: CallContext,
): Promise<void> =>
  changing(db, async (tx) => {
    const before = found(await warrantyForChange(tx, id), 'modelWarrantyNotFound');
    const facts = await checked(tx, input);
    await updateWarranty(tx, id, facts, new Date(nowMs()));
    const change = { before: told(before), after: told(facts) };
    await recordFactory(tx, context, 'factory.editWarranty', recordOf(id, facts.model), change);
    return { models: modelsOf(before, facts), result: undefined };
  });

export const removeWarranty = (
  { db }: Used,
  { warrantyID: id }: Parsed<Calls['warrantyRemove']>,
  context: CallContext,
): Promise<void> =>
  changing(db, async (tx) => {
    const before = found(await warrantyForChange(tx, id), 'modelWarrantyNotFound');
    await deleteWarranty(tx, id);
    await recordFactory(tx, context, 'factory.deleteWarranty', recordOf(id, before.model), { before: told(before) });
    return { models: modelsOf(before), result: undefined };
  });
