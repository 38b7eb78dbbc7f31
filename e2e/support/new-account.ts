import { signUp } from '@sonnenwarte/contract/sign-up/sign-up';
import { callApi } from './api.ts';
import { portalUrl } from './demo.ts';

export const PASSWORD = 'sun-and-wind';

/** Somebody new, whose plants are no demonstration's. */
export async function newAccount(role: 'installer' | 'endUser'): Promise<string> {
  const user = `${role === 'installer' ? 'roof' : 'home'}${Date.now() % 1_000_000_000}`;
  const email = `${user}@example.com`;
  await callApi(portalUrl(), signUp, { role, user, password: PASSWORD, email, country: 'DE', termsAccepted: true });
  return user;
}
