import { logout } from '@sonnenwarte/contract/accounts/own-account';
import { call } from '../client/call.ts';
import { go } from '../router/navigation.ts';

export async function signOut(): Promise<void> {
  await call(logout, {}, { quiet: true }).catch(() => undefined);
  go('/login');
}
