import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { LEVEL } from '@sonnenwarte/contract/levels';
import { type EnteredSite, enteredSite, type siteFormEndpoints } from '@sonnenwarte/contract/site-form/site-form';
import { dayBounds, isValidZone, localDay } from '@sonnenwarte/energy/calendar';
import type { Transaction } from 'kysely';
import { mayEdit, type Scope } from '../access/scope.ts';
import { platformOrganisation } from '../accounts/accounts.store.ts';
import { type AuditEntry, pathOfOrganisation, recordAudits } from '../audit/audit.ts';
import { changedFieldsOf } from '../audit/changed-fields.ts';
import { entryAbout } from '../audit/entry-about.ts';
import { type JudgedModule, judgeModules, linkModules, refusedRows } from '../datalogger-keys/claims.service.ts';
import { dataloggersOfSite } from '../dataloggers/dataloggers.store.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import { sourceStates } from '../market-prices/market-prices.store.ts';
import type { Uses } from '../services.ts';
import { type ValidFrom, validFromOf } from '../sites/prices.service.ts';
import { allPrices, dropPrices, dropPricesWithin, type Prices, setPrices } from '../sites/prices.store.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { holdOrganisation, tenancyChanged } from '../tenancy/moves.ts';
import {
  columnsOf,
  enteredOf,
  isSamePrice,
  type PlannedDays,
  plannedDaysOf,
  pricesIn,
  refusedFieldsOf,
  toldPrices,
  versionOf,
} from './entered.ts';
import {
  deviceCounts,
  type FormRow,
  holdOwner,
  holdSiteForm,
  insertSite,
  knowsZone,
  organisationInScope,
  pricesNow,
  siteForm,
  updateSite,
} from './site-form.store.ts';

type Tx = Transaction<Database>;
type Form = typeof siteFormEndpoints;
type Stores = Uses<'db' | 'nowMs'>;
type Made = Result<Form['add']>;

/** Whose a new plant is. */
interface Place {
  readonly organisationID: string;
  readonly owner: { readonly id: string; readonly username: string } | null;
}

/** Makes a plant in the own tree. */
export const addSite = (stores: Stores, input: Parsed<Form['add']>, context: CallContext): Promise<Made> =>
  makeSite(stores, input, context, async (tx) => {
    const owner = await ownerOf(tx, input.owner, context);
    return { organisationID: owner?.organisation_id ?? context.actor.organisationID, owner };
  });

/** Makes a plant of dataloggers: an end user's own, or, by an administrator, one of any organisation. */
export const linkSite = (stores: Stores, input: Parsed<Form['linkSn']>, context: CallContext): Promise<Made> =>
  makeSite(stores, input, context, async (tx) => {
    const { accountId: id, username, organisationID, level } = context.actor;
    if (level === LEVEL.endUser) return { organisationID, owner: { id, username } };
    const owner = await ownerOf(tx, input.owner, context);
    if (input.organisationID === undefined) {
      return { organisationID: owner?.organisation_id ?? (await platformOrganisation(tx)), owner };
    }
    found(await organisationInScope(tx, context.scope, input.organisationID), 'organisationNotFound');
    return { organisationID: input.organisationID, owner };
  });

async function ownerOf(tx: Tx, called: string, { scope }: CallContext) {
  if (called === '') return null;
  const owner = await holdOwner(tx, scope, called);
  if (owner === undefined) {
    throw new CallError('refusedInput', { fields: [{ path: 'owner', reason: 'unknown', params: {} }] });
  }
  return owner;
}

async function makeSite(
  { db, nowMs }: Stores,
  input: Parsed<Form['add']> | Parsed<Form['linkSn']>,
  context: CallContext,
  placeOf: (tx: Tx) => Promise<Place>,
): Promise<Made> {
  const now = nowMs();
  const { modules: claimed, owner: _, ...entered } = input;
  const modules = await acceptedModules({ db }, entered, claimed, context, now);
  return inTransaction(db, async (tx) => {
    const { organisationID, owner } = await placeOf(tx);
    await holdOrganisation(tx, organisationID);
    const id = await insertSite(tx, {
      ...columnsOf(entered, now),
      organisation_id: organisationID,
      owner_account_id: owner?.id ?? null,
      prices: pricesIn(entered),
    });
    const linked = await linkModules(tx, modules, { id, organisationID });
    await tenancyChanged(tx);
    const organisationPath = await pathOfOrganisation(tx, organisationID);
    const site = { id, name: entered.name, organisationPath };
    await recordAudits(tx, context, [
      {
        ...entryOf('sites.add', site),
        after: { ...enteredSite.parse(entered), owner: owner?.username ?? '', dataloggers: linked.map(({ sn }) => sn) },
      },
      ...linkEntries(site, linked),
    ]);
    return madeOf(id, modules);
  });
}

/** Dataloggers that may be linked; refuses with all fields and rows that are not accepted. */
async function acceptedModules(
  { db }: Uses<'db'>,
  entered: EnteredSite,
  claimed: Parsed<Form['add']>['modules'],
  { scope }: CallContext,
  nowMs: number,
  before?: PlannedDays,
): Promise<JudgedModule[]> {
  const modules = claimed.length === 0 ? [] : await judgeModules(db, scope, claimed);
  const fields = [...refusedFieldsOf(entered, nowMs, before), ...refusedRows(modules)];
  if (fields.length === 0 && !(await knowsZone(db, columnsOf(entered, nowMs).time_zone))) {
    fields.push({ path: 'ianaTimezone', reason: 'unknown', params: {} });
  }
  const wrongMarket = await whyNotMarket(db, entered);
  if (wrongMarket !== undefined) fields.push({ path: 'purchaseMarket.zone', reason: wrongMarket, params: {} });
  if (fields.length > 0) throw new CallError('refusedInput', { fields });
  return modules;
}

/** Why prices cannot follow the market that was chosen: nobody reads it, or it tells another currency. */
async function whyNotMarket(db: Uses<'db'>['db'], { purchaseMarket, currency }: EnteredSite) {
  if (purchaseMarket === null) return undefined;
  const source = (await sourceStates(db)).find(({ zone }) => zone === purchaseMarket.zone);
  if (source === undefined) return 'unknown';
  return source.currency === null || source.currency === currency ? undefined : 'invalid_value';
}

interface NamedSite {
  readonly id: string;
  readonly name: string;
  readonly organisationPath: readonly string[];
}

const entryOf = (action: AuditEntry['action'], { id, name, organisationPath: path }: NamedSite): AuditEntry => ({
  ...entryAbout('site', { id, name, path }),
  action,
});

const linkEntries = (site: NamedSite, linked: readonly { id: string; sn: string }[]): AuditEntry[] =>
  linked.map(({ id, sn }) => ({
    ...entryAbout('datalogger', { id, name: sn, path: site.organisationPath }),
    action: 'dataloggers.link',
    before: { plant: null },
    after: { plant: site.name },
  }));

const madeOf = (stationID: string, modules: readonly JudgedModule[]): Made => ({
  stationID,
  modules: modules.map(({ sn }) => ({ sn, linked: true })),
});

/** A plant that somebody may edit: what is shared with an end user is only read. */
function editable(row: FormRow | undefined, scope: Scope): FormRow {
  const site = found(row, 'siteNotFound');
  if (!mayEdit(scope, site)) throw new CallError('noPermission');
  return site;
}

/** What the form of a plant begins with. */
export async function formOf(
  { db, nowMs }: Stores,
  { stationID }: Parsed<Form['form']>,
  { scope }: Scoped,
): Promise<Result<Form['form']>> {
  const now = nowMs();
  const row = editable(await siteForm(db, scope, stationID), scope);
  const [prices, dataloggers, counts] = await Promise.all([
    pricesNow(db, row.id, now),
    dataloggersOfSite(db, scope, row.id, now),
    deviceCounts(db, row.id),
  ]);
  const entered = enteredOf(row, prices);
  return {
    ...entered,
    stationID: row.id,
    version: versionOf(entered),
    owner: row.owner ?? '',
    organisation: row.organisation ?? '',
    modules: dataloggers.map((datalogger) => ({
      sn: datalogger.sn,
      type: datalogger.type,
      state: datalogger.is_online ? 'normal' : 'offline',
      devices: counts.get(datalogger.sn) ?? 0,
    })),
    pricesSince: prices.sinceMs === null ? null : localDay(prices.sinceMs, row.time_zone),
    tariffs: (await allPrices(db, row.id)).map(({ from, ...tariff }, at, all) => ({
      ...toldPrices(tariff),
      fromMs: from?.getTime() ?? null,
      validFrom: from === null ? null : localDay(from.getTime(), row.time_zone),
      when: whenOf(from, all[at + 1]?.from, now),
    })),
  };
}

/** Prices are valid until the next are. */
function whenOf(from: Date | null, until: Date | null | undefined, nowMs: number): 'past' | 'now' | 'future' {
  if (from !== null && from.getTime() > nowMs) return 'future';
  return until && until.getTime() <= nowMs ? 'past' : 'now';
}

/** Takes back prices of a plant: those before them are valid instead, and money of a time that has passed is made anew. */
export async function dropTariff(
  { db }: Uses<'db'>,
  { stationID, fromMs }: Parsed<Form['dropTariff']>,
  context: CallContext,
): Promise<Result<Form['dropTariff']>> {
  return inTransaction(db, async (tx) => {
    const row = editable(await holdSiteForm(tx, context.scope, stationID), context.scope);
    const from = new Date(fromMs);
    const dropped = await dropPrices(tx, row.id, from);
    if (dropped === undefined) throw unknownTariff();
    const organisationPath = await pathOfOrganisation(tx, row.organisation_id);
    await recordAudits(tx, context, [
      {
        ...entryOf('sites.edit', { id: row.id, name: row.name, organisationPath }),
        before: { ...toldPrices(dropped), validFrom: from.toISOString() },
        after: { validFrom: null },
      },
    ]);
    return {};
  });
}

const unknownTariff = () =>
  new CallError('refusedInput', { fields: [{ path: 'fromMs', reason: 'unknown', params: {} }] });

/** Changes a plant, if it is still as it was read, and links further dataloggers. */
export async function editSite(
  { db, nowMs }: Stores,
  input: Parsed<Form['edit']>,
  context: CallContext,
): Promise<Result<Form['edit']>> {
  const now = nowMs();
  const { scope } = context;
  const { stationID, version, priceValidFrom, modules: claimed, ...entered } = input;
  const planned = plannedDaysOf(editable(await siteForm(db, scope, stationID), scope));
  const modules = await acceptedModules({ db }, entered, claimed, context, now, planned);
  return inTransaction(db, async (tx) => {
    const row = editable(await holdSiteForm(tx, scope, stationID), scope);
    const before = enteredOf(row, await pricesNow(tx, row.id, now));
    if (versionOf(before) !== version) throw new CallError('siteChangedSince');
    const columns = columnsOf(entered, now, row);
    await updateSite(tx, row.id, columns);
    const prices = otherPrices(before, entered);
    const fromMs = validFromOf(priceValidFrom, columns.time_zone, now);
    if (prices !== undefined) await putPrices(tx, row.id, pricesIn(entered), priceValidFrom, columns.time_zone, now);
    const linked = await linkModules(tx, modules, { id: row.id, organisationID: row.organisation_id });
    if (linked.length > 0) await tenancyChanged(tx);
    const after = enteredOf((await siteForm(tx, scope, row.id)) ?? row, await pricesNow(tx, row.id, now));
    const changed = changedFieldsOf({ ...before }, { ...after });
    const site = {
      id: row.id,
      name: after.name,
      organisationPath: await pathOfOrganisation(tx, row.organisation_id),
    };
    const validFrom = fromMs === null ? 'beginning' : new Date(fromMs).toISOString();
    const edited: AuditEntry[] =
      changed === undefined && prices === undefined
        ? []
        : [
            {
              ...entryOf('sites.edit', site),
              before: { ...prices?.before, ...changed?.before },
              after: { ...changed?.after, ...(prices !== undefined && { ...prices.after, validFrom }) },
            },
          ];
    await recordAudits(tx, context, [...edited, ...linkEntries(site, linked)]);
    return madeOf(row.id, modules);
  });
}

/** The prices of a form that are others than before. */
function otherPrices(before: EnteredSite, entered: EnteredSite) {
  const { price, purchasePrice } = entered;
  const [told, changed] = [toldPrices(pricesIn(before)), toldPrices(pricesIn(entered))];
  return changedFieldsOf(told, {
    ...changed,
    price: isSamePrice(before.price, price) ? before.price : price,
    purchasePrice: isSamePrice(before.purchasePrice, purchasePrice) ? before.purchasePrice : purchasePrice,
  });
}

/**
 * Prices that are valid from a time on until the next that the plant has, which stay. A plant has one set of prices from a day on:
 * what began within that day before gives way.
 */
async function putPrices(tx: Tx, siteId: string, prices: Prices, validFrom: ValidFrom, zone: string, nowMs: number) {
  const fromMs = validFromOf(validFrom, zone, nowMs);
  if (validFrom !== 'now' && validFrom !== 'beginning') {
    const { startMs, endMs } = dayBounds(validFrom, isValidZone(zone) ? zone : 'UTC');
    await dropPricesWithin(tx, siteId, startMs, endMs);
  }
  await setPrices(tx, siteId, prices, fromMs);
}
