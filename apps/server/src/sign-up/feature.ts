import { signUpEndpoints } from '@sonnenwarte/contract/sign-up/sign-up';
import type { Kysely } from 'kysely';
import { type Api, serve } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { invitationOf, signUp } from './sign-up.service.ts';

/** Accounts that people make for themselves. */
export function signUpFeature(api: Api, db: Kysely<Database>): void {
  serve(api, signUpEndpoints.signUp, async (input, from) => {
    await signUp(db, input, from);
    return {};
  });
  serve(api, signUpEndpoints.signUpInvitation, (input, from) => invitationOf(db, input, from));
}
