import { handoverEndpoints } from '@sonnenwarte/contract/handover/handover';
import { featureOf } from '../feature.ts';
import {
  endHandover,
  handoverState,
  keepForPaper,
  makeHandover,
  seeHandover,
  takeHandover,
} from './handover.service.ts';

/** Plants that installers hand over to their customers by a code. */
export const feature = featureOf(handoverEndpoints, {
  state: handoverState,
  make: makeHandover,
  prolong: keepForPaper,
  withdraw: endHandover,
  take: takeHandover,
  seen: seeHandover,
});
