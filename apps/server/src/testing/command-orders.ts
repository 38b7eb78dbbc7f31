import type { CommandState } from '@sonnenwarte/contract/commands/command';
import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import type { CommandOrder } from '../commands/orders.ts';
import type { Database } from '../stores/schema.ts';
import { CommandDevice } from './command-device.ts';
import { until } from './edge.ts';
import { makePlant } from './ingestion.ts';
import { OwnIngestion } from './own-ingestion.ts';

interface Row {
  readonly deviceID: string | null;
  readonly loggerID: string;
}

export interface Subject {
  row(db: Kysely<Database>): Promise<Row>;
}

/** Stores and ingestion of a test file that orders commands; answers are waited for 400 ms. */
export class OwnCommands extends OwnIngestion {
  get db(): Kysely<Database> {
    return this.stores.db;
  }

  /** A plant with a datalogger and an inverter that answers commands. */
  async device(settings?: Record<string, SettingValue>): Promise<CommandDevice> {
    const { sn } = await makePlant(this.db);
    const device = await CommandDevice.connect(this.ingestion.port, sn, settings);
    const { deviceID } = await device.row(this.db);
    await until(
      () => this.db.selectFrom('device_settings').select('name').where('subject_id', '=', deviceID).executeTakeFirst(),
      'what the birth tells of settings',
    );
    return device;
  }

  orderAll(orders: readonly CommandOrder[]): Promise<string[]> {
    return this.db.transaction().execute((trx) => this.ingestion.commands.order(trx, orders));
  }

  async order(to: Subject, values: Record<string, SettingValue>, more: Partial<CommandOrder> = {}): Promise<string> {
    const row = await to.row(this.db);
    const [id = ''] = await this.orderAll([
      { ...row, kind: 'write', content: { values }, source: 'hand', orderedBy: null, ...more },
    ]);
    return id;
  }

  cancel(ids: readonly string[]): Promise<string[]> {
    return this.db.transaction().execute((trx) => this.ingestion.commands.cancel(trx, ids));
  }

  command(id: string) {
    return this.db.selectFrom('commands').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  }

  /** Waits for the end of a command. */
  ended(id: string, state: CommandState) {
    return until(async () => {
      const command = await this.command(id);
      return command.state === state && command;
    }, `that the command is ${state}`);
  }

  async open(ids: readonly string[]): Promise<number> {
    const { count } = await this.db
      .selectFrom('commands')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where(sql<boolean>`id = any(${ids}::text[])`)
      .where('state', 'in', ['queued', 'sent', 'acknowledged'])
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** Waits until all that was sent has come and is written. */
  settled(): Promise<void> {
    return this.ingestion.drain();
  }

  async setting(of: Subject, name: string) {
    const { deviceID, loggerID } = await of.row(this.db);
    return this.db
      .selectFrom('device_settings')
      .selectAll()
      .where('subject_id', '=', deviceID ?? loggerID)
      .where('name', '=', name)
      .executeTakeFirst();
  }

  async changes(of: Subject) {
    const { deviceID, loggerID } = await of.row(this.db);
    return this.db
      .selectFrom('setting_changes')
      .selectAll()
      .where('subject_id', '=', deviceID ?? loggerID)
      .orderBy('id')
      .execute();
  }

  /** Actions of the audit log that name a command. */
  async recorded(id: string): Promise<string[]> {
    const rows = await this.db
      .selectFrom('audit_log')
      .select('action')
      .where(sql<boolean>`after ->> 'commandID' = ${id}`)
      .orderBy('id')
      .execute();
    return rows.map(({ action }) => action);
  }

  /** Waits until the portal knows that a device is away. */
  async isOffline({ sn }: CommandDevice): Promise<void> {
    await until(async () => {
      await this.ingestion.drain();
      const row = await this.db.selectFrom('devices').select('state').where('sn', '=', sn).executeTakeFirst();
      return row?.state === 'offline';
    }, 'that the device is offline');
  }
}

export function ownCommands(): OwnCommands {
  const own = new OwnCommands({
    timing: { commands: { dataloggerMs: 400, deviceMs: 400, echoMs: 400, tries: 3 } },
  });
  beforeAll(() => own.start());
  afterAll(() => own.end());
  return own;
}
