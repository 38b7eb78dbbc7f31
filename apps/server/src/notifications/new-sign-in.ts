import { isIPv4 } from 'node:net';
import { type Kysely, sql } from 'kysely';
import { deviceText } from '../http/user-agent.ts';
import type { Database } from '../stores/schema.ts';
import { notify } from './notify.ts';

interface Place {
  readonly address: string;
  readonly userAgent: string;
}

const REMEMBERED_DAYS = 90;
const MOST_PLACES = 200;

/** Networks that phones and home lines keep to while their addresses change: /16 of IPv4, /32 of IPv6. */
export function networkOf(address: string): string {
  const v4 = address.startsWith('::ffff:') ? address.slice(7) : address;
  return isIPv4(v4) ? v4.split('.').slice(0, 2).join('.') : v4.split(':').slice(0, 2).join(':');
}

/** Whether an account signs in from a device or network that it has not used lately. Its first sign-in is none of these. */
export function isNewPlace(place: Place, known: readonly Place[]): boolean {
  if (known.length === 0) return false;
  const device = deviceText(place.userAgent);
  const network = networkOf(place.address);
  return (
    !known.some(({ userAgent }) => deviceText(userAgent) === device) ||
    !known.some(({ address }) => networkOf(address) === network)
  );
}

/** Tells an account of a sign-in from a new device or network. Called before the new session is opened. */
export async function noticeNewSignIn(tx: Kysely<Database>, accountId: string, place: Place): Promise<void> {
  const lately = tx
    .selectFrom('sessions')
    .where('account_id', '=', accountId)
    .where('created_at', '>', sql<Date>`now() - make_interval(days => ${REMEMBERED_DAYS})`);
  const same = await lately
    .select('id')
    .where('address', '=', place.address)
    .where('user_agent', '=', place.userAgent)
    .limit(1)
    .executeTakeFirst();
  if (same) return;
  const known = await lately.select(['address', 'user_agent as userAgent']).distinct().limit(MOST_PLACES).execute();
  if (!isNewPlace(place, known)) return;
  await notify(tx, accountId, { kind: 'newSignIn', device: deviceText(place.userAgent), address: place.address });
}
