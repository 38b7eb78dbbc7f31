import { errorEndpoints } from '@sonnenwarte/contract/errors/errors';
import { type Api, serve } from '../http/serve.ts';
import { errorTexts } from './error-texts.ts';

export function errorsFeature(api: Api): void {
  serve(api, errorEndpoints.errorMessages, async () => ({ messages: errorTexts }));
}
