import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isSameProcess, readPidFile, writePidFile } from '../supervision/leftovers.ts';
import { releaseFrozen } from './telemetry-copy.ts';

const fileIn = (dataDir: string): string => join(dataDir, 'backup.pid');

/** The process that makes a backup of the data folder now. */
function backupUnderWay(dataDir: string): number | undefined {
  const record = readPidFile(fileIn(dataDir));
  return record !== undefined && record.pid !== process.pid && isSameProcess(record) ? record.pid : undefined;
}

/** Removes what a killed backup left behind; answers of how many. */
export async function clearKilledBackups(dataDir: string): Promise<number> {
  if (backupUnderWay(dataDir) !== undefined) return 0;
  rmSync(fileIn(dataDir), { force: true });
  return releaseFrozen(dataDir);
}

/** Notes that this process makes a backup. Answers how to take the note away. */
export async function beginBackup(dataDir: string): Promise<() => void> {
  const other = backupUnderWay(dataDir);
  if (other !== undefined) throw new Error(`A backup of ${dataDir} is under way already (process ${other}).`);
  await clearKilledBackups(dataDir);
  writePidFile(fileIn(dataDir), process.pid);
  return () => rmSync(fileIn(dataDir), { force: true });
}
