import { viewAsEndpoints } from '@sonnenwarte/contract/view-as/view-as';
import { featureOf } from '../feature.ts';
import { endView, startView, viewChoices } from './view-as.service.ts';

/** An administrator sees the portal as others do, read-only. */
export const feature = featureOf(viewAsEndpoints, {
  choices: viewChoices,
  start: startView,
  end: endView,
});
