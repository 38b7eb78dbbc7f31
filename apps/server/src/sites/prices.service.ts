import { instantOf, isValidZone } from '@sonnenwarte/energy/calendar';
import type { Kysely, Transaction } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { type AuditSource, recordAudit } from '../audit/audit.ts';
import { changedFieldsOf } from '../audit/changed-fields.ts';
import { entryAboutSite } from '../audit/entry-about.ts';
import { CallError, found } from '../http/call-error.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { holdSite, type Prices, pricesAt, setPrices } from './prices.store.ts';

type Db = Kysely<Database>;

/** What ingestion makes of a change follows by itself: triggers ask for it. */
export interface SiteChange {
  readonly scope: Scope;
  readonly source: AuditSource;
  readonly siteId: string;
}

/**
 * Time of the plant from which prices are valid, `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM`, kept as an instant. `beginning`
 * corrects those of the time before the first change.
 */
export type ValidFrom = string | 'now' | 'beginning';

export interface PriceChange extends SiteChange, Omit<Prices, 'feedInPeriods' | 'purchasePeriods' | 'purchaseMarket'> {
  readonly feedInPeriods?: Prices['feedInPeriods'];
  readonly purchasePeriods?: Prices['purchasePeriods'];
  readonly purchaseMarket?: Prices['purchaseMarket'];
  readonly validFrom: ValidFrom;
}

const PRICE = /^\d{1,6}(\.\d{1,6})?$/;
const PLANT_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$/;

const refusedField = (path: string, reason: string) =>
  new CallError('refusedInput', { fields: [{ path, reason, params: {} }] });

/** Gives a plant other prices from a time on. Whatever is older keeps the money that it made. */
export async function changePrices(db: Db, change: PriceChange, nowMs: number): Promise<void> {
  const { feedInPrice, purchasePrice, feedInPeriods = null, purchasePeriods = null, currency } = change;
  const { purchaseMarket = null } = change;
  if (feedInPrice !== null && !PRICE.test(feedInPrice)) throw refusedField('price', 'invalid_format');
  if (purchasePrice !== null && !PRICE.test(purchasePrice)) throw refusedField('purchasePrice', 'invalid_format');
  if (!/^[A-Z]{3}$/.test(currency)) throw refusedField('currency', 'invalid_format');
  await inTransaction(db, async (tx) => {
    const site = found(await holdSite(tx, change.scope, change.siteId), 'siteNotFound');
    const validFromMs = validFromOf(change.validFrom, site.time_zone, nowMs);
    const before = await pricesAt(tx, site.id, validFromMs);
    const prices = { feedInPrice, purchasePrice, feedInPeriods, purchasePeriods, purchaseMarket, currency };
    await setPrices(tx, site.id, prices, validFromMs);
    const after = await pricesAt(tx, site.id, validFromMs);
    const validFrom = validFromMs === null ? null : new Date(validFromMs).toISOString();
    await recordEdit(tx, change.source, site, toldPrices(before), { ...toldPrices(after) }, { validFrom });
  });
}

/** Shows a plant's days, months and years by the clock of another zone, past ones too. */
export async function changeZone(db: Db, change: SiteChange & { readonly timeZone: string }): Promise<void> {
  if (!isValidZone(change.timeZone)) throw refusedField('ianaTimezone', 'unknown');
  await inTransaction(db, async (tx) => {
    const site = found(await holdSite(tx, change.scope, change.siteId), 'siteNotFound');
    await tx
      .updateTable('sites')
      .set({ time_zone: change.timeZone, place_zone: null })
      .where('id', '=', site.id)
      .execute();
    await recordEdit(tx, change.source, site, { ianaTimezone: site.time_zone }, { ianaTimezone: change.timeZone });
  });
}

/** The instant that is meant; null = the beginning. */
export function validFromOf(validFrom: ValidFrom, zone: string, nowMs: number): number | null {
  if (validFrom === 'beginning') return null;
  if (validFrom === 'now') return nowMs;
  if (!PLANT_TIME.test(validFrom)) throw refusedField('validFrom', 'invalid_format');
  try {
    return instantOf(validFrom, isValidZone(zone) ? zone : 'UTC');
  } catch {
    throw refusedField('validFrom', 'invalid_value');
  }
}

const toldPrices = ({ feedInPrice, ...prices }: Prices) => ({ price: feedInPrice, ...prices });

async function recordEdit(
  tx: Transaction<Database>,
  source: AuditSource,
  site: { id: string; name: string; organisation_id: string },
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  besides: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const changed = changedFieldsOf(before, after);
  if (changed === undefined) return;
  await recordAudit(tx, source, {
    ...(await entryAboutSite(tx, site)),
    action: 'sites.edit',
    before: changed.before,
    after: { ...changed.after, ...besides },
  });
}
