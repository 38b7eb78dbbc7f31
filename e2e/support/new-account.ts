import { changePassword } from '@sonnenwarte/contract/accounts/accounts';
import { add } from '@sonnenwarte/contract/members/members';
import { choices } from '@sonnenwarte/contract/organisations/organisations';
import { signUp } from '@sonnenwarte/contract/sign-up/sign-up';
import { callApi, openSession } from './api.ts';
import { portalUrl, sessionOf } from './demo.ts';

export const PASSWORD = 'sun-and-wind';

/** Somebody new, whose plants are no demonstration's. */
export async function newAccount(role: 'installer' | 'endUser'): Promise<string> {
  const user = `${role === 'installer' ? 'roof' : 'home'}${Date.now() % 1_000_000_000}`;
  const email = `${user}@example.com`;
  await callApi(portalUrl(), signUp, { role, user, password: PASSWORD, email, country: 'DE', termsAccepted: true });
  return user;
}

/** Another administrator of the portal, by the name that others read. */
export async function newAdministrator(name: string): Promise<string> {
  const { token } = await sessionOf('admin');
  const found = await callApi(portalUrl(), choices, { kinds: ['platform'] }, token);
  const organisationID = found.choices[0]?.id;
  if (organisationID === undefined) throw new Error('The portal has no organisation of its own');
  const account = `admin${Date.now() % 1_000_000_000}`;
  const member = { organisationID, account, name, email: `${account}@example.com` };
  const { temporaryPassword } = await callApi(portalUrl(), add, member, token);
  const first = await openSession(portalUrl(), account, temporaryPassword);
  await callApi(portalUrl(), changePassword, { newPassword: PASSWORD }, first.token);
  return account;
}
