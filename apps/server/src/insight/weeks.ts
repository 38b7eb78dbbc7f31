import type { LossReason } from '@sonnenwarte/contract/losses/reasons';
import { type LossWeek, type MissingKind, WEEK_DAYS } from '@sonnenwarte/contract/losses/week';
import { sumMoney } from '@sonnenwarte/energy/accounting/money';
import { localDay } from '@sonnenwarte/energy/calendar';
import type { PeerChoice } from '@sonnenwarte/energy/insight/peers';
import type { PlantProfile } from '@sonnenwarte/energy/insight/profile';
import type { Reason } from '@sonnenwarte/energy/insight/reasons';
import { reasonIdentity, type WeekLoss, type WeekReason, weekLoss } from '@sonnenwarte/energy/insight/week-loss';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { daysBefore } from './due.store.ts';
import type { StoredInsight } from './insight-rows.store.ts';
import type { InsightPlant, PlacedPlant } from './plants.store.ts';
import { rankOf } from './rank-rates.ts';
import { sinceOf } from './reason-since.ts';

export { WEEK_DAYS };

/** A loss that is less of what could have been given is looked at by nobody. */
const LEAST_SHARE = 0.03;
/** What a plant is built to lose needs nobody's attention. */
const asBuilt: ReadonlySet<string> = new Set(['clipping', 'battery-full']);
const MOST_REASONS = 12;

/** The newest seven whole days of a plant, as lists read them. */
export interface Week {
  siteId: string;
  through: string;
  shown: LossWeek;
  needsAttention: boolean;
  peers: string[];
  profile: PlantProfile | null;
  nowMs: number;
}

interface Told {
  plant: InsightPlant;
  peers: PeerChoice<PlacedPlant> | undefined;
  profile: PlantProfile | null;
  /** What is kept of its days, by the day. */
  days: ReadonlyMap<string, StoredInsight>;
  through: string;
  nowMs: number;
}

/** A reason as it is told: what it is, and what it rests on. */
export function toldReason(reason: Reason): LossReason {
  // The arithmetic knows no reason that the contract does not.
  const { kind, evidence }: LossReason = reason;
  return { kind, evidence } as LossReason;
}

/** The week that ends with a day. */
export function weekOf({ plant, peers, profile, days, through, nowMs }: Told): Week {
  const dates = Array.from({ length: WEEK_DAYS }, (_, at) => daysBefore(through, WEEK_DAYS - 1 - at));
  const known = dates.flatMap((day) => days.get(day) ?? []);
  const all = [...days].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  const loss = weekLoss(known);
  const newest = known.at(-1);
  const missing = new Set<MissingKind>(newest?.missing ?? []);
  const money = moneyOf(known);
  if (money === null && loss.lossWh !== null && loss.lossWh > 0 && !missing.has('grid')) missing.add('price');
  const shown: LossWeek = {
    first: dates[0] ?? through,
    last: through,
    days: dates.map((day) => {
      const each = days.get(day);
      const { expectedWh = null, actualWh = null, band = null, lossWh = null } = each ?? {};
      const share = actualWh === null || expectedWh === null || expectedWh <= 0 ? null : actualWh / expectedWh;
      return { day, share, low: band?.low ?? null, high: band?.high ?? null, lossWh };
    }),
    lossWh: loss.lossWh,
    lossMoney: money,
    currency: newest?.currency || plant.currency,
    unknownWh: loss.unknownWh,
    source: newest?.source ?? null,
    peers: newest?.peers ?? 0,
    basis: newest?.basis ?? null,
    reasons: loss.reasons.slice(0, MOST_REASONS).map((each) => ({
      reason: toldReason(each.latest),
      lossWh: each.lossWh,
      days: each.days,
      since: localDay(sinceOf(each, all), plant.timeZone),
      isStanding: each.isStanding,
      confidence: each.confidence,
    })),
    missing: [...missing],
    evidenceDay: evidenceDay(dates, days, loss.reason),
  };
  return {
    siteId: plant.id,
    through,
    shown,
    needsAttention: isWorthALook(loss),
    peers: peers?.basis === 'near' ? peers.peers.map(({ peer }) => peer.id) : [],
    profile,
    nowMs,
  };
}

/** Amounts of two currencies are never added up, and what is lost without a price has no amount. */
function moneyOf(known: readonly StoredInsight[]): string | null {
  const lost = known.filter(({ lossWh }) => lossWh !== null);
  const amounts = lost.map(({ money }) => money);
  if (lost.length === 0 || amounts.includes(null)) return null;
  if (new Set(lost.map(({ currency }) => currency)).size > 1) return null;
  return sumMoney(amounts as string[]);
}

/** The day of the greatest loss, else the last of the likeliest reason, else the last. */
function evidenceDay(
  dates: readonly string[],
  days: ReadonlyMap<string, StoredInsight>,
  likeliest: WeekReason | null,
): string {
  const identity = likeliest === null ? undefined : reasonIdentity(likeliest.latest);
  const isOfIt = (day: string): boolean =>
    days.get(day)?.reasons.some((reason) => reasonIdentity(reason) === identity) === true;
  let best = dates.findLast(isOfIt) ?? dates.at(-1) ?? '';
  for (const day of dates) if ((days.get(day)?.lossWh ?? 0) > (days.get(best)?.lossWh ?? 0)) best = day;
  return best;
}

function isWorthALook({ reasons, lossWh, expectedWh }: WeekLoss): boolean {
  if (reasons.some(({ latest, isStanding }) => latest.kind === 'meter-wrong' && isStanding)) return true;
  // Where the light is not known, what is measured on the plant alone has to hold still.
  if (lossWh === null || expectedWh === null)
    return reasons.some(({ lossWh: wh, isStanding }) => isStanding && wh !== null && wh > 0);
  const built = reasons.reduce((sum, { latest, lossWh: wh }) => (asBuilt.has(latest.kind) ? sum + (wh ?? 0) : sum), 0);
  return lossWh - built >= LEAST_SHARE * expectedWh && lossWh > built;
}

/** Keeps the weeks of plants. */
export async function putWeeks(db: Kysely<Database>, weeks: readonly Week[]): Promise<void> {
  if (weeks.length === 0) return;
  await db
    .insertInto('site_insights')
    .values(
      weeks.map(({ siteId, through, shown, needsAttention, peers, profile, nowMs }) => ({
        site_id: siteId,
        through_day: through,
        loss_wh: shown.lossWh,
        loss_money: shown.lossMoney,
        currency: shown.currency,
        rank_value: rankOf(shown.lossMoney, shown.currency),
        reason: shown.reasons[0]?.reason.kind ?? null,
        reason_since: shown.reasons[0]?.since ?? null,
        needs_attention: needsAttention,
        week: JSON.stringify(shown),
        peers: sql<string[]>`${peers}::uuid[]`,
        profile: profile === null ? null : JSON.stringify(profile),
        reckoned_at: new Date(nowMs),
      })),
    )
    .onConflict((conflict) =>
      conflict.column('site_id').doUpdateSet((eb) => ({
        through_day: eb.ref('excluded.through_day'),
        loss_wh: eb.ref('excluded.loss_wh'),
        loss_money: eb.ref('excluded.loss_money'),
        currency: eb.ref('excluded.currency'),
        rank_value: eb.ref('excluded.rank_value'),
        reason: eb.ref('excluded.reason'),
        reason_since: eb.ref('excluded.reason_since'),
        needs_attention: eb.ref('excluded.needs_attention'),
        week: eb.ref('excluded.week'),
        peers: eb.ref('excluded.peers'),
        profile: eb.ref('excluded.profile'),
        reckoned_at: eb.ref('excluded.reckoned_at'),
      })),
    )
    .execute();
}
