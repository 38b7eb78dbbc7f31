import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase } from '../stores/database.ts';
import type { Database } from '../stores/schema.ts';
import { openSealKeys } from '../stores/seal-keys.ts';
import { CommandDevice } from '../testing/command-device.ts';
import { until } from '../testing/edge.ts';
import { makePlant } from '../testing/ingestion.ts';
import { type TestHome, testHome } from '../testing/store-house/borrow.ts';
import { Channel } from './channel.ts';

const LIMIT = 'Setting/ExportLimit';
let home: TestHome;
let db: Kysely<Database>;
const children: ChildProcess[] = [];

beforeAll(async () => {
  home = await testHome();
  const keys = { dataDir: home.dataDir, auditKey: undefined, auditKeyFile: undefined };
  db = connectDatabase(home.settings.DATABASE_URL ?? '', { sealKeys: openSealKeys(keys) });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await db.destroy();
  home.leave();
});

async function start(killAt: string): Promise<{ port: number; ended: Promise<unknown> }> {
  const child = fork(fileURLToPath(new URL('../testing/commands-child.ts', import.meta.url)), {
    stdio: 'ignore',
    env: { ...process.env, SETTINGS: JSON.stringify(home.settings), KILL_AT: killAt },
  });
  children.push(child);
  const ended = once(child, 'exit');
  const [port] = (await once(child, 'message')) as [number];
  return { port, ended };
}

it.each(['written', 'sent', 'answered', 'confirmed'])(
  'after kill -9 of the portal once a command is %s it is done once, and recorded as it is',
  { timeout: 180_000 },
  async (step) => {
    const { sn } = await makePlant(db);
    const first = await start(step);
    const device = await CommandDevice.connect(first.port, sn);
    const row = await device.row(db);
    const channel = new Channel(Date.now, { error: () => undefined });
    const [id = ''] = await db
      .transaction()
      .execute((trx) =>
        channel.order(trx, [
          { ...row, kind: 'write', content: { values: { [LIMIT]: 2_000 } }, source: 'hand', orderedBy: null },
        ]),
      );
    await first.ended;
    const second = await start('');
    const again = await CommandDevice.connect(second.port, sn, {}, device);
    const command = await until(async () => {
      const found = await db.selectFrom('commands').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      return found.state === 'confirmed' && found;
    }, 'that the command is confirmed');
    expect(command).toMatchObject({ code: 0, read_back: { [LIMIT]: 2_000 }, due_at: null });
    expect(again.done).toEqual([id]);
    const ends = await db.selectFrom('audit_log').select('after').where('action', '=', 'commands.end').execute();
    expect(ends.filter(({ after }) => (after as { commandID: string }).commandID === id)).toHaveLength(1);
    await again.end();
    children.at(-1)?.disconnect();
    await second.ended;
  },
);
