import { pathToFileURL } from 'node:url';
import { runRestore } from './restore-command.ts';
import { terminalOutput } from './terminal.ts';

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = await runRestore(process.argv.slice(2), process.env, terminalOutput());
}
