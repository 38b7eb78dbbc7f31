import { info } from '@sonnenwarte/contract/accounts/own-account';
import type { Input } from '@sonnenwarte/contract/endpoint';
import { preferences } from '@sonnenwarte/contract/user-center/user-center';
import { call } from '../client/call.ts';
import { queryClient, read } from '../client/queries.ts';

let saving = 0;

/** Has the account remember how the portal is wanted; what is known of the account follows at once. */
export async function savePreferences(change: Input<typeof preferences>): Promise<void> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const { queryKey } = read(info, {});
  saving += 1;
  // An answer that is under way knows nothing of the change.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, (account) => account && { ...account, ...given });
  await call(preferences, change, { quiet: true }).catch(() => undefined);
  saving -= 1;
  if (saving === 0) await queryClient.invalidateQueries({ queryKey });
}
