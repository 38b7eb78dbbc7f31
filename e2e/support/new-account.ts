import { changePassword } from '@sonnenwarte/contract/accounts/accounts';
import { add } from '@sonnenwarte/contract/members/members';
import { choices } from '@sonnenwarte/contract/organisations/organisations';
import { signUp } from '@sonnenwarte/contract/sign-up/sign-up';
import { add as addPlant } from '@sonnenwarte/contract/site-form/site-form';
import { inject } from 'vitest';
import { callApi, openSession } from './api.ts';
import { portalUrl, sessionOf } from './demo.ts';
import { importSpares } from './spare-dataloggers.ts';

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

/** Plants that a session adds, with a datalogger each, which has not spoken yet. */
export async function newPlants(token: string, names: readonly string[], owner = ''): Promise<void> {
  const spares = await importSpares(inject('dataDir'), names.length);
  for (const [at, name] of names.entries()) {
    const plant = {
      name,
      type: 2,
      country: 'DE',
      city: 'Ulm',
      ianaTimezone: 'Europe/Berlin',
      currency: 'EUR',
    } as const;
    await callApi(
      portalUrl(),
      addPlant,
      { ...plant, owner, systemCapacity: 9.9, modules: spares.slice(at, at + 1) },
      token,
    );
  }
}
