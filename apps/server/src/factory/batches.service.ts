import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { type BatchRow, MOST_BATCHES } from '@sonnenwarte/contract/factory/batches';
import type { factoryEndpoints } from '@sonnenwarte/contract/factory/factory';
import { lastPlannedDay } from '@sonnenwarte/contract/factory/warranty';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { orTaken } from '../http/unique-violation.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type Asked, toRows } from '../stores/lists.ts';
import {
  type BatchCounts,
  type BatchFacts,
  batchesFound,
  batchesToChoose,
  batchForChange,
  countBatches,
  countRuns,
  countsOfBatches,
  countUnits,
  deleteBatch,
  deleteUnitsOf,
  hasUnits,
  insertBatch,
  type StoredBatch,
  updateBatch,
} from './batches.store.ts';
import { refusedDay, todayOf } from './days.ts';
import { manufacturerStays } from './manufacturers.store.ts';
import { type FormerBatch, followBatch } from './reckoning.store.ts';
import { askToFollow } from './reckoning.ts';
import { recordFactory } from './recorded.ts';
import { seesUncreated } from './units.service.ts';

type Calls = typeof factoryEndpoints;
type Used = Uses<'db' | 'nowMs'>;
type Tx = Parameters<typeof batchForChange>[0];

const numberIsTaken = { device_batches_by_number: 'number' };

const toRow =
  (counts: ReadonlyMap<string, BatchCounts>, sees: boolean) =>
  (batch: StoredBatch): BatchRow => {
    const {
      units = 0,
      seen = 0,
      never_seen = 0,
      half_seen_days = null,
      troubled = 0,
      runs = 0,
    } = counts.get(batch.id) ?? {};
    return {
      batchID: batch.id,
      number: batch.number,
      manufacturerID: batch.manufacturer_id,
      manufacturer: batch.manufacturer,
      kind: batch.kind,
      model: batch.model,
      firmware: batch.firmware,
      madeOn: batch.made_on,
      deliveredOn: batch.delivered_on,
      note: batch.note,
      units,
      seen: sees ? seen : null,
      neverSeen: sees ? never_seen : null,
      halfSeenDays: sees ? half_seen_days : null,
      troubled,
      runs,
    };
  };

/** Batches, for a page as for a file. */
export async function batchRows({ db, nowMs }: Used, input: Asked<Calls['batchList']>, context: CallContext) {
  const listed = await batchesFound(db, input);
  const counts = await countsOfBatches(
    db,
    listed.rows.map(({ id }) => id),
    todayOf(nowMs()),
  );
  return toRows(listed, toRow(counts, seesUncreated(context)));
}

export const chooseBatches = async (
  { db }: Uses<'db'>,
  input: Parsed<Calls['batchChoices']>,
): Promise<Result<Calls['batchChoices']>> => ({ choices: await batchesToChoose(db, input) });

const factsOf = (input: Parsed<Calls['batchAdd']>): BatchFacts => ({
  manufacturer_id: input.manufacturerID,
  number: input.number,
  kind: input.kind,
  model: input.model,
  firmware: input.firmware,
  made_on: input.madeOn,
  delivered_on: input.deliveredOn,
  note: input.note,
});

const told = (batch: BatchFacts) => ({
  manufacturerID: batch.manufacturer_id,
  number: batch.number,
  kind: batch.kind,
  model: batch.model,
  firmware: batch.firmware,
  madeOn: batch.made_on,
  deliveredOn: batch.delivered_on,
  note: batch.note,
});

const recordOf = (id: string, name: string) => ({ kind: 'deviceBatch', id, name }) as const;

/** Refuses a batch that was delivered before it was made, or further ahead than is planned. */
function checkDays({ made_on, delivered_on }: BatchFacts, nowMs: number): void {
  const lastDay = lastPlannedDay(nowMs);
  if (made_on !== null && made_on > lastDay) throw refusedDay('madeOn');
  if (delivered_on === null) return;
  if (delivered_on > lastDay || (made_on !== null && made_on > delivered_on)) throw refusedDay('deliveredOn');
}

async function checked(tx: Tx, input: Parsed<Calls['batchAdd']>, nowMs: number): Promise<BatchFacts> {
  const facts = factsOf(input);
  checkDays(facts, nowMs);
  found(await manufacturerStays(tx, facts.manufacturer_id), 'manufacturerNotFound');
  return facts;
}

export const addBatch = (
  { db, nowMs }: Used,
  input: Parsed<Calls['batchAdd']>,
  context: CallContext,
): Promise<Result<Calls['batchAdd']>> =>
  orTaken(numberIsTaken, () =>
    inTransaction(db, async (tx) => {
      if ((await countBatches(tx)) >= MOST_BATCHES) throw new CallError('tooManyFactoryRecords');
      const facts = await checked(tx, input, nowMs());
      const batchID = await insertBatch(tx, facts);
      await recordFactory(tx, context, 'factory.addBatch', recordOf(batchID, facts.number), { after: told(facts) });
      return { batchID };
    }),
  );

/** What its units follow in, where anything of that has changed. */
function formerOf(before: BatchFacts, after: BatchFacts): FormerBatch | undefined {
  const isAsBefore =
    before.model === after.model &&
    before.firmware === after.firmware &&
    before.delivered_on === after.delivered_on &&
    before.manufacturer_id === after.manufacturer_id;
  return isAsBefore ? undefined : { model: before.model, firmware: before.firmware, deliveredOn: before.delivered_on };
}

export async function editBatch(
  { db, nowMs }: Used,
  { batchID: id, ...input }: Parsed<Calls['batchEdit']>,
  context: CallContext,
): Promise<void> {
  const former = await orTaken(numberIsTaken, () =>
    inTransaction(db, async (tx) => {
      const before = found(await batchForChange(tx, id), 'deviceBatchNotFound');
      const facts = await checked(tx, input, nowMs());
      if (before.kind !== facts.kind && (await hasUnits(tx, id))) throw new CallError('deviceBatchKindFixed');
      await updateBatch(tx, id, facts);
      const former = formerOf(before, facts);
      if (former !== undefined) await askToFollow(tx, id, former);
      const change = { before: told(before), after: told(facts) };
      await recordFactory(tx, context, 'factory.editBatch', recordOf(id, facts.number), change);
      return former;
    }),
  );
  // The first of them at once: who looks again sees what has changed.
  if (former !== undefined) await followBatch(db, id, former, '');
}

export async function removeBatch(
  { db }: Uses<'db'>,
  { batchID: id, units }: Parsed<Calls['batchRemove']>,
  context: CallContext,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = found(await batchForChange(tx, id), 'deviceBatchNotFound');
    const runs = await countRuns(tx, id);
    if (runs > 0) throw new CallError('deviceBatchInUse', { runs });
    if ((await countUnits(tx, id)) !== units) throw new CallError('consequencesChanged');
    await deleteUnitsOf(tx, id);
    await deleteBatch(tx, id);
    const change = { before: { ...told(before), units } };
    await recordFactory(tx, context, 'factory.deleteBatch', recordOf(id, before.number), change);
  });
}
