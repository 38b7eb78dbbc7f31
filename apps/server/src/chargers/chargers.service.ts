import { randomBytes, randomInt } from 'node:crypto';
import { type chargerEndpoints, MOST_PILES_OF_A_SITE } from '@sonnenwarte/contract/chargers/chargers';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { mayEdit } from '../access/scope.ts';
import { type Rate, takeOf } from '../attempts/attempts.store.ts';
import { type AuditEntry, recordAudit } from '../audit/audit.ts';
import { entryWithin } from '../audit/entry-about.ts';
import { hashToken } from '../broker/credentials.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import { orTaken } from '../http/unique-violation.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { ChargePoints } from './charge-points.ts';
import {
  type ChargerSite,
  changePile,
  deletePile,
  holdSite,
  insertPile,
  isSnTaken,
  type PileChanges,
  type PileRow,
  pileInScope,
  pilesOfSite,
  setRating,
  siteInScope,
} from './chargers.store.ts';
import type { Outcome, PileLink } from './pile-link.ts';
import { shownPile } from './shown-pile.ts';

type Calls = typeof chargerEndpoints;
type Used = Uses<'db' | 'nowMs' | 'publicUrl'> & { readonly points: ChargePoints };

/** A serial number that is taken says that there is such a pile: so many are asked for. */
const byAccount: Rate = { kind: 'pile.add', most: 30, windowMs: 3_600_000 };

/** Without letters that look alike: it is typed in on small displays. 20 signs are what OCPP 1.6 takes at most, 98 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const PASSWORD_LENGTH = 20;

const newPassword = (): string =>
  Array.from({ length: PASSWORD_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** Numbers of connections that are no dataloggers begin with 9 9. */
const newDataloggerSn = (): string => `99${String(randomInt(10 ** 12)).padStart(13, '0')}`;

const mayControl = (scope: CallContext['scope'], site: ChargerSite): boolean =>
  scope.kind === 'owner' && (mayEdit(scope, site) || site.setsWorkMode);

/** Owners alone: others look after the plant, but do not charge the car. */
const mayChange = (scope: CallContext['scope'], site: ChargerSite): boolean =>
  scope.kind === 'owner' && mayEdit(scope, site);

const isUntold = (row: PileRow): boolean => row.connected_at === null && row.readAt === null;

/** Piles of a plant, and what they do now. */
export async function pileList(
  { db, nowMs, points }: Used,
  { stationID }: Parsed<Calls['list']>,
  { scope }: Scoped,
): Promise<Result<Calls['list']>> {
  const site = found(await siteInScope(db, scope, stationID), 'siteNotFound');
  const rows = await pilesOfSite(db, scope, stationID);
  const edit = mayChange(scope, site);
  return {
    stationName: site.name,
    ianaTimezone: site.timeZone,
    piles: rows.map((row) => ({
      ...shownPile(row, points.pileOf(row.device_id), nowMs()),
      can: { control: mayControl(scope, site), edit, remove: edit && isUntold(row) },
    })),
    can: { add: edit },
  };
}

interface HeldPile {
  readonly row: PileRow;
  readonly site: ChargerSite;
}

/** A pile that the caller may control, or change, with its plant held. */
async function heldPile(
  tx: Parameters<typeof holdSite>[0],
  { scope }: Scoped,
  deviceID: string,
  isAllowed: typeof mayControl,
): Promise<HeldPile> {
  const row = found(await pileInScope(tx, scope, deviceID), 'deviceNotFound');
  const site = found(await holdSite(tx, scope, row.siteId ?? ''), 'deviceNotFound');
  if (!isAllowed(scope, site)) throw new CallError('noPermission');
  return { row, site };
}

const entryOf = async (
  tx: Parameters<typeof holdSite>[0],
  action: AuditEntry['action'],
  site: ChargerSite,
  pile: { id: string; name: string },
  told: Pick<AuditEntry, 'before' | 'after'> = {},
): Promise<AuditEntry> => ({
  ...(await entryWithin(tx, 'device', pile, site.organisationId)),
  action,
  ...told,
});

function accessOf({ publicUrl }: Pick<Used, 'publicUrl'>, deviceID: string, sn: string, password: string) {
  const baseAddress = `${publicUrl().replace(/^http/, 'ws')}/ocpp/`;
  return { deviceID, address: baseAddress + sn, baseAddress, user: sn, password };
}

/** Adds a pile and says once how it reaches the portal. */
export async function addPile(
  used: Used,
  { stationID, deviceSN: sn, ...described }: Parsed<Calls['add']>,
  context: CallContext,
): Promise<Result<Calls['add']>> {
  const { db } = used;
  const retryAfterMs = await takeOf(db, byAccount, context.actor.accountId);
  if (retryAfterMs > 0) throw new CallError('tryLater', { retryAfterMs });
  const password = newPassword();
  const adding = () =>
    inTransaction(db, async (tx) => {
      const site = found(await holdSite(tx, context.scope, stationID), 'siteNotFound');
      if (!mayChange(context.scope, site)) throw new CallError('noPermission');
      if ((await pilesOfSite(tx, context.scope, stationID)).length >= MOST_PILES_OF_A_SITE)
        throw new CallError('tooManyPiles', { most: MOST_PILES_OF_A_SITE });
      if (await isSnTaken(tx, sn))
        throw new CallError('refusedInput', { fields: [{ path: 'deviceSN', reason: 'taken', params: {} }] });
      const id = await insertPile(tx, site, {
        sn,
        dataloggerSn: newDataloggerSn(),
        secretHash: hashToken(password),
        unusableHash: hashToken(randomBytes(32)),
        ...described,
      });
      const after = { sn, ...described };
      await recordAudit(tx, context, await entryOf(tx, 'chargers.add', site, { id, name: described.name }, { after }));
      return id;
    });
  const id = await orTaken({ devices_sn_key: 'deviceSN', charge_points_identity_key: 'deviceSN' }, adding);
  return accessOf(used, id, sn, password);
}

/** Changes a pile within one transaction, and has its connection look at it again. */
async function change(
  { db, points }: Used,
  context: CallContext,
  deviceID: string,
  isAllowed: typeof mayControl,
  action: AuditEntry['action'],
  work: (held: HeldPile, tx: Parameters<typeof holdSite>[0]) => Promise<Pick<AuditEntry, 'before' | 'after'>>,
): Promise<HeldPile> {
  const done = await inTransaction(db, async (tx) => {
    const pile = await heldPile(tx, context, deviceID, isAllowed);
    const told = await work(pile, tx);
    const record = { id: deviceID, name: pile.row.name };
    await recordAudit(tx, context, await entryOf(tx, action, pile.site, record, told));
    return pile;
  });
  await points.settingsChanged(deviceID);
  return done;
}

/** What a change makes of the columns, before and after, for the log. */
const beside = (row: PileRow, changes: PileChanges) => ({
  before: Object.fromEntries(Object.keys(changes).map((name) => [name, row[name as keyof PileRow]])),
  after: changes,
});

export async function editPile(
  used: Used,
  { deviceID, name, phases, mostCurrentA, ratedPowerW }: Parsed<Calls['edit']>,
  context: CallContext,
): Promise<Result<Calls['edit']>> {
  await change(used, context, deviceID, mayChange, 'chargers.edit', async ({ row }, tx) => {
    const changes = { name, phases, most_current_a: mostCurrentA };
    await changePile(tx, deviceID, changes);
    await setRating(tx, deviceID, ratedPowerW);
    return beside(row, changes);
  });
  return {};
}

export async function renewPilePassword(
  used: Used,
  { deviceID }: Parsed<Calls['renewPassword']>,
  context: CallContext,
): Promise<Result<Calls['renewPassword']>> {
  const password = newPassword();
  const { row } = await change(used, context, deviceID, mayChange, 'chargers.renewPassword', async (_, tx) => {
    await changePile(tx, deviceID, { secret_hash: hashToken(password) });
    return {};
  });
  used.points.drop(deviceID);
  return accessOf(used, deviceID, row.identity, password);
}

export async function removePile(
  { db, points }: Used,
  { deviceID }: Parsed<Calls['remove']>,
  context: CallContext,
): Promise<Result<Calls['remove']>> {
  await inTransaction(db, async (tx) => {
    const { row, site } = await heldPile(tx, context, deviceID, mayChange);
    if (!isUntold(row)) throw new CallError('pileHasTold');
    await deletePile(tx, row);
    const record = { id: deviceID, name: row.name };
    await recordAudit(tx, context, await entryOf(tx, 'chargers.remove', site, record, { before: { sn: row.sn } }));
  });
  points.drop(deviceID);
  return {};
}

export async function setPileMode(
  used: Used,
  { deviceID, mode, limitA, times }: Parsed<Calls['setMode']>,
  context: CallContext,
): Promise<Result<Calls['setMode']>> {
  await change(used, context, deviceID, mayControl, 'chargers.setMode', async ({ row }, tx) => {
    if (limitA !== null && limitA > row.most_current_a)
      throw new CallError('refusedInput', {
        fields: [{ path: 'limitA', reason: 'too_big', params: { max: row.most_current_a, of: 'number' } }],
      });
    const changes = { mode, limit_a: limitA };
    await changePile(tx, deviceID, { ...changes, times: JSON.stringify(times) });
    const { before, after } = beside(row, changes);
    return { before: { ...before, times: row.times }, after: { ...after, times } };
  });
  return {};
}

/** Lets a pile charge, or not, and asks it to; where it does not, all stays as it was. */
async function setStopped(used: Used, deviceID: string, stopped: boolean, context: CallContext): Promise<void> {
  const { db, points, nowMs } = used;
  const { row, site } = await inTransaction(db, async (tx) => {
    const pile = await heldPile(tx, context, deviceID, mayControl);
    if (points.pileOf(deviceID) === undefined) throw new CallError('pileAway');
    await changePile(tx, deviceID, { stopped });
    return pile;
  });
  await points.settingsChanged(deviceID);
  const outcome = await asked(points.pileOf(deviceID)?.link, stopped, nowMs());
  // To lift what somebody had stopped is something done, though the session ran on.
  if (outcome === 'done' || (outcome === 'running' && row.stopped)) {
    const told = beside(row, { stopped });
    const record = { id: deviceID, name: row.name };
    const action = stopped ? 'chargers.stop' : 'chargers.start';
    await inTransaction(db, async (tx) => recordAudit(tx, context, await entryOf(tx, action, site, record, told)));
    return;
  }
  await changePile(db, deviceID, { stopped: row.stopped });
  await points.settingsChanged(deviceID);
  throw new CallError(errorOf[outcome]);
}

const errorOf = { refused: 'pileRefuses', silent: 'pileSilent', running: 'pileCharges' } as const;

async function asked(link: PileLink | undefined, stopped: boolean, nowMs: number): Promise<Outcome> {
  if (link === undefined) return 'silent';
  return stopped ? link.stop() : link.start(nowMs);
}

export async function startPile(used: Used, { deviceID }: Parsed<Calls['start']>, context: CallContext) {
  await setStopped(used, deviceID, false, context);
  return {};
}

export async function stopPile(used: Used, { deviceID }: Parsed<Calls['stop']>, context: CallContext) {
  await setStopped(used, deviceID, true, context);
  return {};
}
