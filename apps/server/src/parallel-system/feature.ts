import { parallelSystemEndpoints } from '@sonnenwarte/contract/parallel-system/parallel-system';
import { featureOf } from '../feature.ts';
import { parallelSystemOf } from './parallel-system.service.ts';

/** Units of a plant that work in parallel. */
export const feature = featureOf(parallelSystemEndpoints, { system: parallelSystemOf });
