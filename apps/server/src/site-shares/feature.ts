import { siteShareEndpoints } from '@sonnenwarte/contract/site-shares/site-shares';
import { featureOf } from '../feature.ts';
import { editShare, endShare, shareList, shareSites } from './site-shares.service.ts';

/** Plants are shared with further end users. */
export const feature = featureOf(siteShareEndpoints, {
  list: shareList,
  add: shareSites,
  edit: editShare,
  end: endShare,
});
