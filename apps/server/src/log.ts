import { renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

const longestLogBytes = 20 * 1024 * 1024;

/**
 * The structured log: on standard error in production, where a collector reads it, else in a file of the data folder, so
 * that a person at a terminal sees the friendly block alone.
 */
export function openLog(config: Config): { logger: Logger; file: string | undefined } {
  const options = { level: config.logLevel, base: { pid: process.pid } };
  if (config.production) return { logger: pino(options, pino.destination({ dest: 2, sync: false })), file: undefined };
  const file = path.join(config.dataDir, 'server.log');
  keepSmall(file);
  return { logger: pino(options, pino.destination({ dest: file, sync: false, mkdir: true, mode: 0o600 })), file };
}

/** Puts a grown log aside at start; one old log is kept. */
function keepSmall(file: string): void {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat && stat.size > longestLogBytes) renameSync(file, `${file}.1`);
}
