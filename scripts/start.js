import { join } from 'node:path';
import { supervise } from './supervise.js';

const server = join(import.meta.dirname, '..', 'apps', 'server', 'src');

/** What `npm start` runs: the server in a process of its own, started again should it end unexpectedly. Plain JavaScript, so that it costs little. */
process.exitCode = await supervise({
  command: process.execPath,
  args: [join(server, 'main.ts')],
  endLeftArgs: [join(server, 'cli', 'end-left.ts')],
  say: (line) => process.stderr.write(`${line}\n`),
});
