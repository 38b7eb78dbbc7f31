import { kinkEndpoints } from '@sonnenwarte/contract/kinks/kinks';
import { featureOf } from '../feature.ts';
import { explanationOf, kinksOf } from './kinks.service.ts';

/** Kinks of the PV curve of a plant's day, and why they are there. */
export const feature = featureOf(kinkEndpoints, { kinks: kinksOf, explain: explanationOf });
