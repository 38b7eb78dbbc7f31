import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { getText } from '../outgoing/get-json.ts';
import type { OutgoingRules } from '../outgoing/outgoing-address.ts';
import type { PriceSource } from '../price-sources.ts';
import type { Database } from '../stores/schema.ts';
import { keepPrices, noteAsked, type SourceState, sourceStates } from './market-prices.store.ts';
import { toldPrices } from './told-prices.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BOUNDS = { timeoutMs: 20_000, mostBytes: 4_194_304 };
/** Days before are asked for so far back, where nothing is known of them. */
const BACK_MS = 30 * DAY_MS;
/** What is known of days before is asked for again so far back: markets correct it. */
const AGAIN_MS = 2 * DAY_MS;
const AHEAD_MS = 2 * DAY_MS;
/** Markets tell the next day shortly after noon: with less than this ahead it is due. */
const LEAST_AHEAD_MS = 12 * HOUR_MS;
/** Even so a source is asked no more often than that; with the next day known, so often. */
const SOONEST_MS = 15 * 60_000;
const REST_MS = 6 * HOUR_MS;
const FIRST_PAUSE_MS = 10 * 60_000;
const LONGEST_PAUSE_MS = 6 * HOUR_MS;

export interface PriceParts {
  readonly db: Kysely<Database>;
  readonly nowMs: () => number;
  readonly logger: Logger;
  readonly sources: readonly PriceSource[];
  readonly rules: OutgoingRules;
  readonly timeoutMs?: number;
}

/** Whether a source has to be asked now. */
function isDue({ askedMs, knownUntilMs }: SourceState, nowMs: number): boolean {
  if (askedMs === null) return true;
  const isNextDayKnown = knownUntilMs !== null && knownUntilMs - nowMs >= LEAST_AHEAD_MS;
  return nowMs - askedMs >= (isNextDayKnown ? REST_MS : SOONEST_MS);
}

/** What is asked for: to the day after tomorrow, from where it is not known on. */
export function askedSpan({ knownUntilMs }: Pick<SourceState, 'knownUntilMs'>, nowMs: number) {
  const dayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const fromMs = Math.max(dayMs - BACK_MS, Math.min(dayMs - AGAIN_MS, knownUntilMs ?? 0));
  return { fromMs: Math.floor(fromMs / DAY_MS) * DAY_MS, untilMs: dayMs + AHEAD_MS + DAY_MS };
}

const compact = (tsMs: number): string => new Date(tsMs).toISOString().replaceAll(/[-:T]/g, '').slice(0, 12);

/** The address of a source with the span that is asked for, as its shape takes it. */
export function askedUrl({ url: base, shape }: PriceSource, { fromMs, untilMs }: ReturnType<typeof askedSpan>): URL {
  const url = new URL(base);
  const asked: Readonly<Record<PriceSource['shape'], Readonly<Record<string, string>>>> = {
    own: { start: new Date(fromMs).toISOString(), end: new Date(untilMs).toISOString() },
    awattar: { start: String(fromMs), end: String(untilMs) },
    entsoe: { documentType: 'A44', periodStart: compact(fromMs), periodEnd: compact(untilMs) },
  };
  for (const [name, value] of Object.entries(asked[shape])) url.searchParams.set(name, value);
  return url;
}

/** Reads market prices when they are due, one source after the other; after a failure one is left alone for a pause that grows. */
export class PriceReader {
  readonly #parts: PriceParts;
  readonly #pauses = new Map<string, { pauseMs: number; untilMs: number }>();

  constructor(parts: PriceParts) {
    this.#parts = parts;
  }

  /** Reads what is due. */
  async read(ending: AbortSignal): Promise<void> {
    const { db, sources, nowMs } = this.#parts;
    const states = new Map((await sourceStates(db)).map((state) => [state.zone, state]));
    for (const source of sources) {
      if (ending.aborted) return;
      const state = states.get(source.zone);
      if (state === undefined || nowMs() < (this.#pauses.get(source.zone)?.untilMs ?? 0)) continue;
      if (isDue(state, nowMs())) await this.#ask(source, state);
    }
  }

  async #ask(source: PriceSource, state: SourceState): Promise<void> {
    const { db, rules, nowMs, logger, timeoutMs = BOUNDS.timeoutMs } = this.#parts;
    const { zone, shape } = source;
    await noteAsked(db, zone, nowMs());
    try {
      const url = askedUrl(source, askedSpan(state, nowMs()));
      const accept = shape === 'entsoe' ? 'application/xml, text/xml' : 'application/json';
      const body = await getText(url, rules, { ...BOUNDS, timeoutMs }, accept);
      const written = await keepPrices(db, zone, toldPrices(shape, body), nowMs());
      this.#pauses.delete(zone);
      if (written > 0) logger.info({ zone, quarters: written }, 'market prices have come');
    } catch (error) {
      const before = this.#pauses.get(zone)?.pauseMs ?? 0;
      const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, before * 2));
      this.#pauses.set(zone, { pauseMs, untilMs: nowMs() + pauseMs });
      logger.warn({ zone, reason: reasonOf(error), pauseS: pauseMs / 1_000 }, 'market prices cannot be had');
    }
  }
}

/** Why, without anything of the address, which may hold a token. */
const reasonOf = (error: unknown): string => {
  if (error instanceof z.core.$ZodError || error instanceof SyntaxError) return 'its answer has another shape';
  return error instanceof Error ? error.message : 'it failed';
};
