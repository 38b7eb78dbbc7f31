import { DamagedBackupError } from '../backup/backup-file.ts';
import { type CheckedBackup, requireEmptyFolder, unpackBackup, verifyBackup } from '../backup/restore-backup.ts';
import { tryRestored } from '../backup/trial-start.ts';
import { readConfig } from '../config.ts';
import { backupArguments, passphraseOf, placeOf } from './backup-arguments.ts';
import { contentLines, explainBackup, MIB, type ProgressOutput } from './backup-command.ts';

const USAGE = `Usage:
  npm run restore -- FILE [--passphrase-file PATH]
  npm run restore -- --verify FILE [--passphrase-file PATH]
Puts a backup into the empty data folder DATA_DIR. With --verify it is only read and compared with its checksums.
BACKUP_PASSPHRASE or --passphrase-file opens an encrypted one.`;

const EXIT = { done: 0, damaged: 1, failed: 2 } as const;

/** Restores or verifies a backup. 0: done; 1: the file is damaged, or what it holds does not come up; 2: it could not be done. */
export async function runRestore(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  output: ProgressOutput,
): Promise<number> {
  let file = '';
  try {
    const asked = backupArguments(args, 'verify');
    if (typeof asked === 'string') {
      output.out(USAGE);
      return asked === 'help' ? EXIT.done : EXIT.failed;
    }
    file = placeOf(env, asked.file);
    const config = readConfig(env);
    if (!asked.isSet) requireEmptyFolder(config.dataDir);
    const startedMs = performance.now();
    const step = (what: string) => (read: number, inAll: number) =>
      output.progress(`${what}: ${Math.round(read / MIB)} of ${Math.round(inAll / MIB)} MiB`);
    const checked = await verifyBackup(file, passphraseOf(env, asked.passphraseFile), step('Checking'));
    const took = () => `in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`;
    if (asked.isSet) {
      for (const line of told(`The backup is whole (${took()}): ${file}`, checked)) output.out(line);
      return EXIT.done;
    }
    await unpackBackup(checked, config, step('Writing'));
    output.progress('Starting the databases once');
    const wrong = await tryRestored(config, checked.manifest);
    for (const line of wrong) output.error(line);
    if (wrong.length > 0) return EXIT.damaged;
    for (const line of told(`Restored into ${config.dataDir} (${took()})`, checked)) output.out(line);
    for (const line of nextSteps(checked, config)) output.out(line);
    return EXIT.done;
  } catch (error) {
    const isDamaged = error instanceof DamagedBackupError;
    output.error(isDamaged ? `${file} is not used. ${error.message}` : explainBackup(error, USAGE));
    return isDamaged ? EXIT.damaged : EXIT.failed;
  }
}

const told = (title: string, { manifest, backup, unpackedBytes, members }: CheckedBackup): string[] => [
  title,
  `  shows the moment  ${manifest.moment}`,
  `  made              ${manifest.madeAt} by Sonnenwarte ${manifest.portal}`,
  ...contentLines(manifest),
  `  unpacked          ${(unpackedBytes / MIB).toFixed(1)} MiB in ${members} files`,
  `  SHA-256           ${backup.sha256}`,
];

function nextSteps(
  { manifest }: CheckedBackup,
  { databaseUrl, clickhouseUrl }: { databaseUrl: string | undefined; clickhouseUrl: string | undefined },
): string[] {
  const lines = [
    'Start it with "npm start". Everybody signs in anew; passwords, keys and credentials are those of that moment again.',
  ];
  if (manifest.database === null) {
    lines.push(
      'The database is not in it: restore that by its own tools before the start, to a moment before the one above.',
    );
  } else if (databaseUrl !== undefined) {
    lines.push('DATABASE_URL is set: the portal will use that database, not the restored one.');
  }
  if (manifest.telemetry === null) {
    lines.push(
      'The telemetry is not in it: restore that by its own tools before the start, to a moment after the one above.',
    );
  } else if (clickhouseUrl !== undefined) {
    lines.push('CLICKHOUSE_URL is set: the portal will use that server, not the restored telemetry.');
  }
  return lines;
}
