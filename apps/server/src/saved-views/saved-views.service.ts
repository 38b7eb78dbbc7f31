import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import {
  MOST_VIEWS,
  MOST_VIEWS_OF_A_LIST,
  type savedViewEndpoints,
} from '@sonnenwarte/contract/saved-views/saved-views';
import { found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { orTaken } from '../http/unique-violation.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { dropView, putView, renameView, sharedViewsOf, sharingLevels, viewsOf } from './saved-views.store.ts';

type Calls = typeof savedViewEndpoints;
type Own = Pick<CallContext, 'actor'>;

/** The caller's views of a list, and those that colleagues share. */
export async function viewList(
  { db }: Uses<'db'>,
  { list }: Parsed<Calls['list']>,
  { actor }: Own,
): Promise<Result<Calls['list']>> {
  const own = await viewsOf(db, actor.accountId, list);
  const others = sharingLevels.includes(actor.level) ? await sharedViewsOf(db, actor, list) : [];
  return {
    views: [
      ...own.map(({ id, name, query, shared }) => ({ viewID: id, name, query, isShared: shared, isOwn: true })),
      ...others.map(({ id, name, query }) => ({ viewID: id, name, query, isShared: true, isOwn: false })),
    ],
  };
}

/** Keeps a view. */
export const saveView = (
  { db }: Uses<'db'>,
  { list, name, query, isShared: wantsShared }: Parsed<Calls['save']>,
  { actor: { accountId, level } }: Own,
): Promise<Result<Calls['save']>> =>
  inTransaction(db, async (tx) => {
    const isShared = wantsShared && sharingLevels.includes(level);
    return {
      viewID: found(
        await putView(
          tx,
          { accountId, list, name, query, isShared },
          { ofList: MOST_VIEWS_OF_A_LIST, inAll: MOST_VIEWS },
        ),
        'tooManyViews',
      ),
    };
  });

export async function renameViewOf(
  { db }: Uses<'db'>,
  { viewID, name }: Parsed<Calls['rename']>,
  { actor }: Own,
): Promise<Result<Calls['rename']>> {
  found(
    await orTaken({ saved_views_name: 'name' }, () => renameView(db, actor.accountId, viewID, name)),
    'viewNotFound',
  );
  return {};
}

export async function removeView(
  { db }: Uses<'db'>,
  { viewID }: Parsed<Calls['remove']>,
  { actor }: Own,
): Promise<Result<Calls['remove']>> {
  found(await dropView(db, actor.accountId, viewID), 'viewNotFound');
  return {};
}
