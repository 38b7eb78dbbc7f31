import { type MadeBackup, makeBackup } from '../backup/make-backup.ts';
import { type Config, readConfig } from '../config.ts';
import { isDatabaseUnavailable } from '../stores/database.ts';
import { isTelemetryUnavailable } from '../stores/telemetry-engine.ts';
import { backupArguments, passphraseOf, placeOf } from './backup-arguments.ts';
import type { Output } from './datalogger-command.ts';

const USAGE = `Usage:
  npm run backup -- FILE [--force] [--passphrase-file PATH]
Writes all of a running or stopped portal into one file. DATA_DIR, DATABASE_URL and CLICKHOUSE_URL say whose, as for npm start.
With BACKUP_PASSPHRASE or --passphrase-file the file is encrypted. --force replaces an existing file.`;

const EXIT = { done: 0, failed: 2 } as const;
export const MIB = 1024 * 1024;

export interface ProgressOutput extends Output {
  /** A line that counts up in place on a terminal. */
  progress(text: string): void;
}

/** Makes a backup. 0: it is whole and on the disk; 2: there is none. */
export async function runBackup(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  output: ProgressOutput,
  signal: AbortSignal,
): Promise<number> {
  try {
    const asked = backupArguments(args, 'force');
    if (typeof asked === 'string') {
      output.out(USAGE);
      return asked === 'help' ? EXIT.done : EXIT.failed;
    }
    const file = placeOf(env, asked.file);
    const config = readConfig(env);
    for (const line of notInIt(config)) output.out(line);
    const startedMs = performance.now();
    const passphrase = passphraseOf(env, asked.passphraseFile);
    const made = await makeBackup({
      config,
      file,
      passphrase,
      force: asked.isSet,
      signal,
      progress: (read, inAll) =>
        output.progress(
          `Reading: ${Math.round(read / MIB)} of about ${Math.max(1, Math.round(Math.max(read, inAll) / MIB))} MiB`,
        ),
    });
    for (const line of told(made, file, passphrase !== undefined, performance.now() - startedMs)) output.out(line);
    return EXIT.done;
  } catch (error) {
    output.error(explainBackup(error, USAGE));
    return EXIT.failed;
  }
}

function notInIt({ databaseUrl, clickhouseUrl }: Config): string[] {
  return [
    ...(databaseUrl === undefined
      ? []
      : [
          'Not in this backup: the PostgreSQL of DATABASE_URL. Back it up by its own tools (pg_basebackup, or pg_dump --format=custom),',
          'and before this backup: what is older is brought up to the newer when the portal starts, not the other way round.',
        ]),
    ...(clickhouseUrl === undefined
      ? []
      : [
          'Not in this backup: the ClickHouse of CLICKHOUSE_URL. Back it up by its own tools (BACKUP DATABASE … TO …, or clickhouse-backup),',
          'and after this backup.',
        ]),
  ];
}

function told(made: MadeBackup, file: string, isEncrypted: boolean, tookMs: number): string[] {
  const { manifest, bytes, sha256, wasRunning, passedOver } = made;
  return [
    `Backup written: ${file} (${(bytes / MIB).toFixed(1)} MiB${isEncrypted ? ', encrypted' : ''}, in ${(tookMs / 1_000).toFixed(1)} s)`,
    `  shows the moment  ${manifest.moment}${wasRunning ? '' : ' (the portal was stopped)'}`,
    ...contentLines(manifest),
    `  SHA-256           ${sha256}`,
    ...passedOver.map((name) => `  left out          ${name}: neither a file nor a folder`),
    ...(isEncrypted
      ? []
      : ['It holds keys and password hashes and is not encrypted: keep it where only you can read it.']),
    `Prove it:  npm run restore -- --verify ${file}`,
  ];
}

export function contentLines({ database, telemetry, files, counts }: MadeBackup['manifest']): string[] {
  const counted = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  const rows = (telemetry ?? []).reduce((sum, table) => sum + table.rows, 0);
  return [
    database === null
      ? '  database          not in it'
      : `  database          PostgreSQL ${database.version}: ${counted.join(', ')}`,
    telemetry === null
      ? '  telemetry         not in it'
      : `  telemetry         ${rows} rows in ${telemetry.length} tables`,
    `  files             ${files}`,
  ];
}

/** One line for the person at the terminal. */
export function explainBackup(error: unknown, usage: string): string {
  if (!(error instanceof Error)) return String(error);
  const { message, syscall, path = '' } = error as NodeJS.ErrnoException;
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  if (code.startsWith('ERR_PARSE_ARGS')) return `${message}\n${usage}`;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return 'There is no room left on the disk. What had been written was removed.';
  if (error.name === 'AbortError') return 'Interrupted. What had been written was removed.';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return `${message}: run it as the user of the server.`;
  const isConnecting = syscall === undefined || syscall === 'connect';
  if (code === 'ENOENT' && !isConnecting) return `${path} does not exist.`;
  if (isConnecting && (isDatabaseUnavailable(error) || isTelemetryUnavailable(error))) {
    return `A database of the portal does not answer (${message}). If the portal is starting, try again in a moment.`;
  }
  return message;
}
