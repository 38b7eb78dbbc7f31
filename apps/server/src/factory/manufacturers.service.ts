import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { factoryEndpoints } from '@sonnenwarte/contract/factory/factory';
import { type ManufacturerRow, MOST_MANUFACTURERS } from '@sonnenwarte/contract/factory/manufacturers';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { orTaken } from '../http/unique-violation.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type Asked, toRows } from '../stores/lists.ts';
import {
  countManufacturers,
  deleteManufacturer,
  hasBatches,
  insertManufacturer,
  type ManufacturerFacts,
  manufacturerForChange,
  manufacturersFound,
  manufacturersToChoose,
  updateManufacturer,
} from './manufacturers.store.ts';
import { recordFactory } from './recorded.ts';

type Calls = typeof factoryEndpoints;
type Used = Uses<'db'>;

const nameIsTaken = { manufacturers_by_name: 'name' };

export async function manufacturerRows({ db }: Used, input: Asked<Calls['manufacturerList']>) {
  return toRows(
    await manufacturersFound(db, input),
    ({ id, name, country, contact, note, batches }): ManufacturerRow => ({
      manufacturerID: id,
      name,
      country,
      contact,
      note,
      batches,
      can: { edit: true, delete: batches === 0 },
    }),
  );
}

export const chooseManufacturers = async (
  { db }: Used,
  input: Parsed<Calls['manufacturerChoices']>,
): Promise<Result<Calls['manufacturerChoices']>> => ({ choices: await manufacturersToChoose(db, input) });

const told = ({ name, country, contact, note }: ManufacturerFacts) => ({ name, country, contact, note });

export const addManufacturer = (
  { db }: Used,
  facts: Parsed<Calls['manufacturerAdd']>,
  context: CallContext,
): Promise<Result<Calls['manufacturerAdd']>> =>
  orTaken(nameIsTaken, () =>
    inTransaction(db, async (tx) => {
      if ((await countManufacturers(tx)) >= MOST_MANUFACTURERS) throw new CallError('tooManyFactoryRecords');
      const manufacturerID = await insertManufacturer(tx, facts);
      const record = { kind: 'manufacturer', id: manufacturerID, name: facts.name } as const;
      await recordFactory(tx, context, 'factory.addManufacturer', record, { after: told(facts) });
      return { manufacturerID };
    }),
  );

export const editManufacturer = (
  { db }: Used,
  { manufacturerID: id, ...facts }: Parsed<Calls['manufacturerEdit']>,
  context: CallContext,
): Promise<void> =>
  orTaken(nameIsTaken, () =>
    inTransaction(db, async (tx) => {
      const before = found(await manufacturerForChange(tx, id), 'manufacturerNotFound');
      await updateManufacturer(tx, id, facts);
      const record = { kind: 'manufacturer', id, name: facts.name } as const;
      await recordFactory(tx, context, 'factory.editManufacturer', record, {
        before: told(before),
        after: told(facts),
      });
    }),
  );

export const removeManufacturer = (
  { db }: Used,
  { manufacturerID: id }: Parsed<Calls['manufacturerRemove']>,
  context: CallContext,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const before = found(await manufacturerForChange(tx, id), 'manufacturerNotFound');
    if (await hasBatches(tx, id)) throw new CallError('manufacturerHasBatches');
    await deleteManufacturer(tx, id);
    const record = { kind: 'manufacturer', id, name: before.name } as const;
    await recordFactory(tx, context, 'factory.deleteManufacturer', record, { before: told(before) });
  });
