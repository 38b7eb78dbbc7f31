import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import type { DatabaseConnection } from '../database-url.ts';
import type { Database } from '../stores/schema.ts';

/** Keys (`sites.key`, `devices.key`) of what has new values. */
export interface LiveChange {
  readonly sites: readonly number[];
  readonly devices: readonly number[];
}

/** What a listener gets. `missed`: the bus was cut off, so that anything may have changed. */
export interface LiveNews extends LiveChange {
  readonly missed: boolean;
  /** Who may see what has changed: sessions, accounts, organisations, or where plants belong. */
  readonly tenancy?: true;
  /** Keys of plants whose handover has come further; triggers in the database say so. */
  readonly handovers?: readonly number[];
  /** Ids of devices and dataloggers whose settings or commands are others, and of group writes; triggers in the database say so. */
  readonly settings?: readonly string[];
  readonly groups?: readonly string[];
  /** Incidents have changed. */
  readonly incidents?: true;
  /** Work orders have changed. */
  readonly orders?: true;
  /** A work order has changed only in what is internal of it. */
  readonly noted?: KeptFrom;
  /** Fault records have come, or are asked for. */
  readonly faultRecords?: true;
  /** Burn-in runs are others now. */
  readonly burnIn?: true;
  /** Ids of accounts whose messages are others. */
  readonly messages?: readonly string[];
  /** Brands are others now; a trigger in the database says so. */
  readonly brands?: true;
  /** Keys of dataloggers to which something is to be said, or no longer. */
  readonly commands?: readonly number[];
}

/** Whoever is told nothing of it: an account, and the people of an organisation. */
export interface KeptFrom {
  readonly accountId: string | null;
  readonly organisationID: string | null;
}

export type LiveListener = (news: LiveNews) => void;

/** Tells every process of the server what has new values. Values themselves are read from the stores. */
export interface LiveBus {
  publish(changed: LiveChange): Promise<void>;
  /** Answers the function that ends the subscription. */
  subscribe(listener: LiveListener): () => void;
  close(): Promise<void>;
}

export const LIVE_CHANNEL = 'live';
/** The notification of a change of tenancy. */
export const TENANCY_CHANGED = 'tenancy';
/** The notification of incidents that are others now. */
export const INCIDENTS_CHANGED = 'incidents';
/** The notification of work orders that are others now. */
export const ORDERS_CHANGED = 'workOrders';
/** The notification of brands that are others now. */
const BRANDS_CHANGED = 'brands';
/** The notification of fault records that are others now. */
export const FAULT_RECORDS_CHANGED = 'faultRecords';
/** The notification of burn-in runs that are others now. */
export const BURN_IN_CHANGED = 'burnIn';
/** PostgreSQL takes payloads below 8,000 bytes. */
const LONGEST_PAYLOAD_BYTES = 7_900;
const FIRST_RETRY_MS = 100;
/** However long the channel was away, what was missed is known a moment after it is back. */
const LONGEST_RETRY_MS = 500;

/** Splits a change into texts that each fit one notification: `s1,2` for sites, `d3,4` for devices. */
export function toPayloads({ sites, devices }: LiveChange): string[] {
  return [...chunks('s', sites), ...chunks('d', devices)];
}

function chunks(letter: 's' | 'd', keys: readonly number[]): string[] {
  const texts: string[] = [];
  let text = '';
  for (const key of new Set(keys)) {
    const part = text === '' ? `${letter}${key}` : `,${key}`;
    if (text.length + part.length > LONGEST_PAYLOAD_BYTES) {
      texts.push(text);
      text = `${letter}${key}`;
    } else text += part;
  }
  return text === '' ? texts : [...texts, text];
}

/** The change that a text stands for, undefined for a text that is none of ours. */
export function fromPayload(text: string): LiveChange | undefined {
  if (!/^[sd][0-9]{1,10}(,[0-9]{1,10})*$/.test(text)) return undefined;
  const keys = text.slice(1).split(',').map(Number);
  return text.startsWith('s') ? { sites: keys, devices: [] } : { sites: [], devices: keys };
}

/** Settings of subjects (`t`) or group writes (`g`), of which a text names as many as fit. */
export function settingsNewsOf(text: string): Pick<LiveNews, 'settings' | 'groups'> | undefined {
  if (!/^[tg][0-9a-f-]{36}(,[0-9a-f-]{36})*$/.test(text)) return undefined;
  const ids = text.slice(1).split(',');
  return text.startsWith('t') ? { settings: ids } : { groups: ids };
}

/** Texts that tell whose messages are others. */
export const messagesPayloads = (accountIds: readonly string[]): string[] => {
  const each = Math.floor(LONGEST_PAYLOAD_BYTES / 37);
  return Array.from(
    { length: Math.ceil(accountIds.length / each) },
    (_, place) => `m${accountIds.slice(place * each, (place + 1) * each).join(',')}`,
  );
};

function messagesNewsOf(text: string): Pick<LiveNews, 'messages'> | undefined {
  return /^m[0-9a-f-]{36}(,[0-9a-f-]{36})*$/.test(text) ? { messages: text.slice(1).split(',') } : undefined;
}

/** The text that tells that only what is internal of a work order is another. */
export const notedPayload = ({ accountId, organisationID }: KeptFrom): string =>
  `n${accountId ?? ''}/${organisationID ?? ''}`;

function notedNewsOf(text: string): Pick<LiveNews, 'noted'> | undefined {
  const parts = /^n([0-9a-f-]{36})?\/([0-9a-f-]{36})?$/.exec(text);
  return parts === null ? undefined : { noted: { accountId: parts[1] ?? null, organisationID: parts[2] ?? null } };
}

/** Opens the bus over PostgreSQL's LISTEN and NOTIFY, so that several processes hear each other. */
export async function createLiveBus(
  connection: DatabaseConnection,
  db: Kysely<Database>,
  logger: Logger,
): Promise<LiveBus> {
  const listeners = new Set<LiveListener>();
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let retryMs = FIRST_RETRY_MS;
  let isClosed = false;

  const tell = (news: LiveNews): void => {
    for (const listener of listeners) listener(news);
  };

  async function listen(): Promise<void> {
    const next = new (connection.Client ?? pg.Client)({
      ...connection,
      keepAlive: true,
      application_name: 'sonnenwarte live',
    });
    next.on('notification', ({ payload }) => {
      if (payload === TENANCY_CHANGED) return tell({ sites: [], devices: [], missed: false, tenancy: true });
      if (payload === ORDERS_CHANGED) return tell({ sites: [], devices: [], missed: false, orders: true });
      if (payload === INCIDENTS_CHANGED) return tell({ sites: [], devices: [], missed: false, incidents: true });
      if (payload === BRANDS_CHANGED) return tell({ sites: [], devices: [], missed: false, brands: true });
      if (payload === FAULT_RECORDS_CHANGED) return tell({ sites: [], devices: [], missed: false, faultRecords: true });
      if (payload === BURN_IN_CHANGED) return tell({ sites: [], devices: [], missed: false, burnIn: true });
      const handover = /^h([0-9]{1,10})$/.exec(payload ?? '')?.[1];
      if (handover !== undefined) {
        return tell({ sites: [], devices: [], missed: false, handovers: [Number(handover)] });
      }
      const text = payload ?? '';
      const settings = settingsNewsOf(text) ?? messagesNewsOf(text) ?? notedNewsOf(text);
      if (settings !== undefined) return tell({ sites: [], devices: [], missed: false, ...settings });
      const commands = /^c([0-9]{1,10}(?:,[0-9]{1,10})*)$/.exec(payload ?? '')?.[1];
      if (commands !== undefined) {
        return tell({ sites: [], devices: [], missed: false, commands: commands.split(',').map(Number) });
      }
      const change = fromPayload(payload ?? '');
      if (change === undefined) logger.warn({ payload: payload?.slice(0, 80) }, 'unknown notification');
      else tell({ ...change, missed: false });
    });
    const lost = (error?: Error): void => {
      if (client !== next) return;
      client = undefined;
      next.end().catch(() => undefined);
      if (!isClosed) listenLater(error);
    };
    next.on('error', lost);
    next.on('end', () => lost());
    try {
      await next.connect();
      await next.query(`listen ${LIVE_CHANNEL}`);
    } catch (error) {
      await next.end().catch(() => undefined);
      throw error;
    }
    if (isClosed) await next.end();
    else client = next;
  }

  function listenLater(error?: Error): void {
    logger.warn({ err: error, retryMs }, 'the live bus lost its connection');
    retry = setTimeout(async () => {
      retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
      try {
        await listen();
        retryMs = FIRST_RETRY_MS;
        tell({ sites: [], devices: [], missed: true, tenancy: true });
      } catch (failure) {
        if (!isClosed) listenLater(failure instanceof Error ? failure : undefined);
      }
    }, retryMs);
  }

  await listen();

  return {
    async publish(changed) {
      const payloads = toPayloads(changed);
      if (payloads.length === 0) return;
      await sql`select pg_notify(${LIVE_CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`.execute(db);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      clearTimeout(retry);
      listeners.clear();
      await client?.end();
    },
  };
}
