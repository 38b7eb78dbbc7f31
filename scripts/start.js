import { join } from 'node:path';
import { supervise } from './supervise.js';

/** What `npm start` runs: the server in a process of its own, started again should it end unexpectedly. Plain JavaScript, so that it costs little. */
process.exitCode = await supervise({
  command: process.execPath,
  args: [join(import.meta.dirname, '..', 'apps', 'server', 'src', 'main.ts')],
  say: (line) => process.stderr.write(`${line}\n`),
});
