import type { CommandContent, CommandKind, CommandSource } from '@sonnenwarte/contract/commands/command';
import type { Transaction } from 'kysely';
import type { AuditSource } from '../audit/audit.ts';
import type { Database } from '../stores/schema.ts';

/** What a device, or a datalogger itself (`deviceID` null), is to do. */
export interface CommandOrder {
  readonly loggerID: string;
  readonly deviceID: string | null;
  readonly kind: CommandKind;
  readonly content: CommandContent;
  readonly source: CommandSource;
  /** Account that orders it; null: the portal itself. */
  readonly orderedBy: string | null;
  /** Of orders that belong together. */
  readonly batchID?: string;
  /** Void afterwards; ten minutes where left out. */
  readonly expiresMs?: number;
}

/** The way to devices: what is ordered is kept, sent as soon as its turn has come and the device is there, and followed to its end. */
export interface CommandChannel {
  /**
   * Keeps orders within a transaction, as its last statement; they are sent once that commits. Returns their ids, in the order given. `from` is the
   * context of the call, for the audit log; without it the entry names the account alone.
   */
  order(trx: Transaction<Database>, orders: readonly CommandOrder[], from?: AuditSource): Promise<string[]>;
  /** Takes back what has not been sent yet, as the last statement of a transaction; returns the ids of those that it still could. */
  cancel(trx: Transaction<Database>, ids: readonly string[], from?: AuditSource): Promise<string[]>;
  /** Hears of every command whose state has changed, after it is stored. Returns what ends it. */
  onChange(hear: (changed: readonly ChangedCommand[]) => void | Promise<void>): () => void;
}

export interface ChangedCommand {
  readonly id: string;
  readonly loggerID: string;
  readonly deviceID: string | null;
  readonly batchID: string | null;
  readonly source: CommandSource;
  /** What it was to do; undefined for writes and reads. */
  readonly action?: CommandContent['action'] | undefined;
}
