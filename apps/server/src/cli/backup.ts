import { pathToFileURL } from 'node:url';
import { runBackup } from './backup-command.ts';
import { interruption, terminalOutput } from './terminal.ts';

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = await runBackup(process.argv.slice(2), process.env, terminalOutput(), interruption());
}
