import { messageEndpoints } from '@sonnenwarte/contract/messages/errors';
import { type Api, serve } from '../http/serve.ts';
import { errorTexts } from './error-texts.ts';

export function messagesFeature(api: Api): void {
  serve(api, messageEndpoints.errorMessages, async () => ({ messages: errorTexts }));
}
