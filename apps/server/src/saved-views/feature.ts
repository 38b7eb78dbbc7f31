import { savedViewEndpoints } from '@sonnenwarte/contract/saved-views/saved-views';
import { featureOf } from '../feature.ts';
import { removeView, renameViewOf, saveView, viewList } from './saved-views.service.ts';

/** Named filters, order and columns of lists, each account's own. */
export const feature = featureOf(savedViewEndpoints, {
  list: viewList,
  save: saveView,
  rename: renameViewOf,
  remove: removeView,
});
