import type { HeldValue } from '@sonnenwarte/contract/work-orders/work-order';
import { attachedKinds, pointByName } from '@sonnenwarte/device-protocol/points/points';
import type { Kysely } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { toLatestValues } from '../device-rows/device-row.ts';
import { type DeviceNow, devicesNow, devicesNowOfSite } from '../device-rows/device-rows.store.ts';
import { evidenceOf } from '../incidents/evidence-of.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

export interface AskedAbout {
  readonly siteId: string | null;
  readonly deviceId: string | null;
  readonly alarmCode: number | null;
}

/** Of a device that is asked about, and of all devices of a plant. */
const MOST_VALUES = 60;
const MOST_DEVICES = 8;
const MOST_OF_EACH = 4;
const LONGEST_VALUE = 64;

const heldOf = (device: DeviceNow): HeldValue[] =>
  toLatestValues(device).flatMap((each) =>
    pointByName(device.kind, each.variable) === undefined || String(each.value).length > LONGEST_VALUE
      ? []
      : [{ ...each, deviceSN: device.sn, kind: device.kind }],
  );

/** What shows the alarm first, then the others in the order of the catalogue. */
function foremost(values: readonly HeldValue[], names: readonly string[]): HeldValue[] {
  const rank = ({ variable }: HeldValue): number => {
    const place = names.indexOf(variable);
    return place < 0 ? names.length : place;
  };
  return values.toSorted((one, other) => rank(one) - rank(other));
}

/** The newest values of what an order is about, with their times, as far as who asks sees them. */
export async function valuesNow(
  db: Db,
  scope: Scope,
  { siteId, deviceId, alarmCode }: AskedAbout,
  nowMs: number,
): Promise<HeldValue[]> {
  if (deviceId !== null) {
    const [device] = await devicesNow(db, scope, [deviceId], nowMs);
    if (device === undefined) return [];
    return foremost(heldOf(device), evidenceOf(alarmCode ?? 0, device.kind)).slice(0, MOST_VALUES);
  }
  if (siteId === null) return [];
  const devices = (await devicesNowOfSite(db, scope, siteId, attachedKinds, nowMs))
    .toSorted((one, other) => attachedKinds.indexOf(one.kind) - attachedKinds.indexOf(other.kind))
    .slice(0, MOST_DEVICES)
    .map((device) => ({ values: heldOf(device), shows: evidenceOf(0, device.kind) }));
  // What each of them does comes before what else they tell.
  const foremostOfAll = devices.flatMap(({ values, shows }) =>
    values.filter(({ variable }) => shows.includes(variable)),
  );
  const others = devices.flatMap(({ values, shows }) =>
    values.filter(({ variable }) => !shows.includes(variable)).slice(0, MOST_OF_EACH),
  );
  return [...foremostOfAll, ...others];
}

/** Those of held values that are told now, in their order. */
export async function sameNow(
  db: Db,
  scope: Scope,
  about: AskedAbout,
  held: readonly HeldValue[],
  nowMs: number,
): Promise<HeldValue[]> {
  if (held.length === 0) return [];
  const now = await valuesNow(db, scope, about, nowMs);
  return held.flatMap(({ deviceSN, variable }) =>
    now.filter((each) => each.deviceSN === deviceSN && each.variable === variable),
  );
}
