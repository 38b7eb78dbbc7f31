import { errorEndpoints } from '@sonnenwarte/contract/errors/errors';
import { featureOf } from '../feature.ts';
import { errorTexts } from './error-texts.ts';

/** Texts of error numbers. */
export const feature = featureOf(errorEndpoints, { errorMessages: async () => ({ messages: errorTexts }) });
