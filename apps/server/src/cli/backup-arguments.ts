import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const LEAST_PASSPHRASE = 8;

interface Asked {
  readonly file: string;
  /** Whether the command's own switch is there. */
  readonly isSet: boolean;
  readonly passphraseFile: string | undefined;
}

/** What the commands of a backup take: a file, a switch of their own and where the passphrase lies. */
export function backupArguments(args: readonly string[], own: 'force' | 'verify'): Asked | 'help' | 'unclear' {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      [own]: { type: 'boolean' as const },
      'passphrase-file': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return 'help';
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) return 'unclear';
  return { file, isSet: values[own] === true, passphraseFile: values['passphrase-file'] };
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
