import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const TABLES = /^export const (screens|publicScreens)\b[^=]*= \{\n([\s\S]*?)^\};/gm;
/** A route and all that is said of it, to the next route. */
const ENTRY = /^ {2}(?:'([\w-]+)'|(\w+)):((?:(?!^ {2}['\w])[\s\S])*)/gm;
const IMPORT = /import\(\s*'([^']+)'\s*\)/;

/** What a screen's entry imports, in it or in what it names: `inverterList`, `logScreen('account')`. */
function importedBy(entry: string, source: string): string | undefined {
  const own = IMPORT.exec(entry)?.[1];
  if (own !== undefined) return own;
  const name = /\w+/.exec(entry)?.[0];
  const declared = new RegExp(`^const ${name}\\b(?:(?!^(?:const|export) )[\\s\\S])*`, 'm').exec(source)?.[0];
  return declared === undefined ? undefined : IMPORT.exec(declared)?.[1];
}

/** The module of each route's screen or page, as its room's `routes.tsx` says. */
export function screenFiles(): Map<string, { file: string; isOutside: boolean }> {
  const found = new Map<string, { file: string; isOutside: boolean }>();
  for (const routes of globSync('src/*/routes.tsx', { cwd: import.meta.dirname })) {
    const at = path.join(import.meta.dirname, routes);
    const source = readFileSync(at, 'utf8');
    for (const [, table, entries = ''] of source.matchAll(TABLES)) {
      for (const [, quoted, plain = '', entry = ''] of entries.matchAll(ENTRY)) {
        const imported = importedBy(entry, source);
        if (imported !== undefined)
          found.set(quoted ?? plain, {
            file: path.join(path.dirname(at), imported),
            isOutside: table === 'publicScreens',
          });
      }
    }
  }
  return found;
}
