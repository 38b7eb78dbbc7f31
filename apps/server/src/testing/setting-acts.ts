import type { CommandState } from '@sonnenwarte/contract/commands/command';
import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { Kysely } from 'kysely';
import type { Channel } from '../commands/channel.ts';
import { keepDesired, keepReported } from '../device-settings/reported.store.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** What a device tells by itself of its settings. */
export const tell = (db: Db, subjectId: string, values: Record<string, SettingValue>, by: 'birth' | 'data' = 'data') =>
  db.transaction().execute((trx) => keepReported(trx, [{ subjectId, values, atMs: Date.now(), by }]));

/** Ends commands as the dispatcher does, as if their devices had answered; confirmed ones leave what they wrote with the device. */
export async function endCommands(
  { db, commands }: { readonly db: Db; readonly commands: Channel },
  ids: readonly string[],
  state: CommandState,
  { code = 0, message = '' } = {},
): Promise<void> {
  if (ids.length === 0) return;
  const at = new Date();
  const ended = await db
    .updateTable('commands')
    .set({ state, code, message, sent_at: at, done_at: at, due_at: null })
    .where('id', 'in', [...ids])
    .returningAll()
    .execute();
  for (const { id, device_id, logger_id, content, source, ordered_by: orderedBy } of ended) {
    const { values } = content;
    if (state !== 'confirmed' || values === undefined) continue;
    const subjectId = device_id ?? logger_id;
    const command = { id, source, orderedBy, wanted: values };
    await db.transaction().execute(async (trx) => {
      await keepReported(trx, [{ subjectId, values, atMs: at.getTime(), by: 'readBack', command }]);
      await keepDesired(trx, [{ id, source, orderedBy, subjectId, values, atMs: at.getTime() }]);
    });
  }
  await commands.tell(
    ended.map(({ id, logger_id, device_id, batch_id, source }) => ({
      id,
      loggerID: logger_id,
      deviceID: device_id,
      batchID: batch_id,
      source,
    })),
  );
}
