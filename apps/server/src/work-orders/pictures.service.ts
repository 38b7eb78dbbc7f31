import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { MOST_UNUSED_PICTURES } from '@sonnenwarte/contract/work-orders/work-order';
import type { workOrderEndpoints } from '@sonnenwarte/contract/work-orders/work-orders';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, FileAnswer } from '../http/serve.ts';
import type { ReceivedFile } from '../http/serve-upload.ts';
import type { PictureMaker } from '../pictures/picture-maker.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { readerOf } from './internal.ts';
import { dropUnused, holdPictures, keepPicture, pictureBytes, unusedPictures } from './pictures.store.ts';

type Calls = typeof workOrderEndpoints;

/** Keeps a picture that was sent, made anew, until an entry has it. */
export async function takePicture(
  { db, nowMs, pictures }: Uses<'db' | 'nowMs'> & { readonly pictures: PictureMaker },
  _: Parsed<Calls['uploadPicture']>,
  { actor }: CallContext,
  { bytes }: ReceivedFile,
): Promise<Result<Calls['uploadPicture']>> {
  const refuseWhere = (isFull: boolean): void => {
    if (isFull) throw new CallError('tooManyPictures');
  };
  // Before anything is made, with those that are under way; and once more when it is kept, which one of an account is after the other.
  const unused = await unusedPictures(db, actor.accountId);
  refuseWhere(unused + pictures.pendingOf(actor.accountId) >= MOST_UNUSED_PICTURES);
  const made = await pictures.make(bytes, 'photo', actor.accountId);
  return inTransaction(db, async (tx) => {
    await holdPictures(tx, actor.accountId);
    refuseWhere((await unusedPictures(tx, actor.accountId)) >= MOST_UNUSED_PICTURES);
    const pictureID = await keepPicture(tx, actor.accountId, made, new Date(nowMs()));
    return { pictureID, width: made.width, height: made.height };
  });
}

export async function showPicture(
  { db }: Uses<'db'>,
  { id, size }: Parsed<Calls['picture']>,
  context: CallContext,
): Promise<FileAnswer> {
  const bytes = found(await pictureBytes(db, readerOf(context), id, size), 'pictureNotFound');
  return { name: `${id}.jpg`, contentType: 'image/jpeg', body: bytes };
}

export async function takeBackPicture(
  { db }: Uses<'db'>,
  { id }: Parsed<Calls['removePicture']>,
  { actor }: CallContext,
): Promise<void> {
  if (!(await dropUnused(db, actor.accountId, id))) throw new CallError('pictureNotFound');
}
