import { siteDeletionEndpoints } from '@sonnenwarte/contract/site-deletions/site-deletions';
import { featureOf } from '../feature.ts';
import { deleteSites, previewOf, undoSites } from './site-deletions.service.ts';

/** Plants are deleted by who looks after them, and given back. */
export const feature = featureOf(siteDeletionEndpoints, { preview: previewOf, remove: deleteSites, undo: undoSites });
