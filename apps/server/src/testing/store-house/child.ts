import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Room } from './room.ts';

/**
 * Keeps the stores of a run of tests, one room per worker, opened when its first file asks. A file holds its databases for
 * as long as its connection lives, so that nothing stays of one that crashed; and all ends with the run that started this.
 */

const [folder = ''] = process.argv.slice(2);
const rooms = new Map<string, Promise<Room>>();

function roomOf(worker: string): Promise<Room> {
  const room = rooms.get(worker) ?? Room.open(join(folder, worker));
  rooms.set(worker, room);
  return room;
}

async function serve(caller: Socket): Promise<void> {
  const gone = new Promise((done) => caller.once('close', done));
  caller.on('error', () => undefined);
  const [worker] = await once(createInterface(caller), 'line');
  const { stores, takeBack } = await (await roomOf(String(worker))).lend();
  caller.write(`${JSON.stringify(stores)}\n`);
  await gone;
  if (process.connected) await takeBack();
}

const server = createServer((caller) => {
  serve(caller).catch((error: unknown) => {
    if (process.connected)
      process.stderr.write(`The stores of the tests: ${error instanceof Error ? error.stack : String(error)}\n`);
    caller.destroy();
  });
});

process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('disconnect', async () => {
  await Promise.allSettled([...rooms.values()].map(async (room) => (await room).close()));
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});

server.listen(join(folder, 'house.sock'), () => process.send?.('ready'));
