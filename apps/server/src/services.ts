import type { ClickHouseClient } from '@clickhouse/client';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { LiveBus } from './changes/live-bus.ts';
import type { LiveClock } from './changes/live-clock.ts';
import type { CommandChannel } from './commands/orders.ts';
import type { Config } from './config.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Database } from './stores/schema.ts';

/** What the features of one server work with. */
export interface Services {
  readonly config: Config;
  readonly db: Kysely<Database>;
  readonly telemetry: ClickHouseClient;
  readonly nowMs: () => number;
  readonly jobs: Jobs;
  readonly bus: LiveBus;
  /** Set by hand in tests of what passes with time. */
  readonly liveClock: LiveClock;
  readonly metrics: Registry;
  readonly logger: Logger;
  /** Where people reach the portal. */
  readonly publicUrl: () => string;
  /** Where programs of users reach the broker. */
  readonly broker: BrokerPorts;
  readonly readings: ReadingSink;
  readonly commands: CommandChannel;
}

/** Takes what devices tell that speak to the portal itself, as the messages of a datalogger are taken. */
export interface ReadingSink {
  /**
   * Takes a message of the JSON on-ramp, and resolves as soon as it is stored; rejects where nothing can be taken now, so that its sender
   * keeps it.
   */
  take(sn: string, channel: 'up' | 'status', body: string): Promise<void>;
}

export interface BrokerPorts {
  /** Undefined where another broker is used. */
  readonly port: number | undefined;
  readonly isSecure: boolean;
}

/** Those of the services that a function works with, named by it. */
export type Uses<Names extends keyof Services> = Pick<Services, Names>;
