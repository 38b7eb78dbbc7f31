import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type MadeBackup, makeBackup } from '../backup/make-backup.ts';
import { type Config, readConfig } from '../config.ts';
import { isDatabaseUnavailable } from '../stores/database.ts';
import { isTelemetryUnavailable } from '../stores/telemetry-engine.ts';
import type { Output } from './logger-command.ts';

const USAGE = `Usage:
  npm run backup -- FILE [--force] [--passphrase-file PATH]
Writes all of a running or stopped portal into one file. DATA_DIR, DATABASE_URL and CLICKHOUSE_URL say whose, as for npm start.
With BACKUP_PASSPHRASE or --passphrase-file the file is encrypted. --force replaces an existing file.`;

const EXIT = { done: 0, failed: 2 } as const;
const LEAST_PASSPHRASE = 8;
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
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        force: { type: 'boolean' },
        'passphrase-file': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const [name] = positionals;
    if (values.help === true || name === undefined || positionals.length > 1) {
      output.out(USAGE);
      return values.help === true ? EXIT.done : EXIT.failed;
    }
    const config = readConfig(env);
    for (const line of notInIt(config)) output.out(line);
    const startedMs = performance.now();
    const passphrase = passphraseOf(env, values['passphrase-file']);
    const made = await makeBackup({
      config,
      file: placeOf(env, name),
      passphrase,
      force: values.force === true,
      signal,
      progress: (read, inAll) =>
        output.progress(
          `Reading: ${Math.round(read / MIB)} of about ${Math.max(1, Math.round(Math.max(read, inAll) / MIB))} MiB`,
        ),
    });
    for (const line of told(made, placeOf(env, name), passphrase !== undefined, performance.now() - startedMs))
      output.out(line);
    return EXIT.done;
  } catch (error) {
    output.error(explainBackup(error, USAGE));
    return EXIT.failed;
  }
}

/** Relative to where the person is, not to where npm runs its scripts. */
export const placeOf = (env: NodeJS.ProcessEnv, name: string): string => resolve(env.INIT_CWD ?? process.cwd(), name);

/** From a file its first line, as an editor leaves it. */
export function passphraseOf(env: NodeJS.ProcessEnv, file: string | undefined): string | undefined {
  const passphrase =
    file === undefined ? env.BACKUP_PASSPHRASE : (readFileSync(placeOf(env, file), 'utf8').split(/\r?\n/)[0] ?? '');
  if (passphrase === undefined || (passphrase === '' && file === undefined)) return undefined;
  if (passphrase.length < LEAST_PASSPHRASE)
    throw new Error(`The passphrase must have ${LEAST_PASSPHRASE} characters at least.`);
  return passphrase;
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
