import { info } from '@sonnenwarte/contract/accounts/accounts';
import type { Input } from '@sonnenwarte/contract/endpoint';
import { preferences } from '@sonnenwarte/contract/user-center/user-center';
import { call } from '../client/call.ts';
import { keyOf, queryClient, read } from '../client/queries.ts';

/** Has the account remember how the portal is wanted; what is known of the account follows at once. */
export async function savePreferences(change: Input<typeof preferences>): Promise<void> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  queryClient.setQueryData(read(info, {}).queryKey, (account) => account && { ...account, ...given });
  await call(preferences, change, { quiet: true }).catch(() =>
    queryClient.invalidateQueries({ queryKey: keyOf(info, {}) }),
  );
}
