import { accountEndpoints, type UserInfo } from '@sonnenwarte/contract/accounts/accounts';
import { isLanguage } from '@sonnenwarte/contract/languages';
import type { Kysely } from 'kysely';
import { CallError, found } from '../http/call-error.ts';
import { type Api, serve } from '../http/serve.ts';
import { countryName } from '../map/countries.ts';
import type { Database } from '../stores/schema.ts';
import { accountById, setLanguage } from './accounts.store.ts';
import { endSession } from './sessions.ts';
import { setUpAccount, setUpState } from './set-up.ts';
import { FailedSignIns, signIn } from './sign-in.ts';

/** Signing in and out, the signed-in account, and the portal's first account. */
export function accountsFeature(api: Api, db: Kysely<Database>): void {
  const failures = new FailedSignIns();

  serve(api, accountEndpoints.login, (input, from) => signIn(db, failures, input, from));

  serve(api, accountEndpoints.logout, async (_, { token }) => {
    await endSession(db, token);
    return {};
  });

  serve(api, accountEndpoints.accessLevel, async (_, { actor }) => ({ access: actor.level }));

  serve(api, accountEndpoints.info, async (_, { actor }): Promise<UserInfo> => {
    const account = found(await accountById(db, actor.accountId), 'tokenInvalid');
    return {
      user: account.username,
      name: account.name,
      phone: account.phone,
      email: account.email,
      country: account.country,
      countryName: countryName(account.country),
      city: account.city,
      address: account.address,
      postcode: account.postcode,
      introduction: account.introduction,
      note: account.note,
      clientID: account.client_id,
      apiMqttEnable: account.api_mqtt_enable,
      access: actor.level,
      organisation: account.organisation,
      language: isLanguage(account.language) ? account.language : null,
      demo: account.demo,
    };
  });

  serve(api, accountEndpoints.language, async ({ language }, { actor }) => {
    await setLanguage(db, actor.accountId, language);
    return {};
  });

  serve(api, accountEndpoints.setUpState, () => setUpState(db));

  serve(api, accountEndpoints.setUp, async (input) => {
    if (!(await setUpState(db)).needed) throw new CallError('setUpLinkInvalid');
    await setUpAccount(db, input);
    return {};
  });
}
