import { viewAsEndpoints } from '@sonnenwarte/contract/view-as/view-as';
import type { Kysely } from 'kysely';
import { type Api, serve } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { endView, startView, viewChoices } from './view-as.service.ts';

export function bindViewAs(api: Api, db: Kysely<Database>): void {
  serve(api, viewAsEndpoints.choices, (input, context) => viewChoices(db, input, context));
  serve(api, viewAsEndpoints.start, (input, context) => startView(db, input, context));
  serve(api, viewAsEndpoints.end, (_, context) => endView(db, context));
}
