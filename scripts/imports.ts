import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseSync } from 'vite';

/** That a file imports another of this tree, or something from outside; types count like values. */
export interface Import {
  readonly file: string;
  /** A path in this tree, or the name of a package as it is written. */
  readonly of: string;
}

const sources = '{apps,packages,e2e,bench,scripts}/**/*.{ts,tsx,mts,cts,js,mjs,cjs,jsx}';
const leftOut: readonly string[] = ['node_modules', 'dist', 'data'];

/**
 * The imports of all files of a tree. `require` and `import('…')` in the place of a type are none that it knows: no file may have
 * one (noCommonJs and no-import-types.grit in biome.json).
 */
export function importsIn(root: string): Import[] {
  return globSync(sources, { cwd: root, exclude: (path) => leftOut.includes(posix.basename(path)) })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .flatMap((file) => importsOf(file, readFileSync(posix.join(root, file), 'utf8')));
}

export function importsOf(file: string, text: string): Import[] {
  const { module, errors } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const named = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
    ...module.dynamicImports.map(({ moduleRequest }) => literal(text.slice(moduleRequest.start, moduleRequest.end))),
  ];
  return [...new Set(named)].flatMap((name) => (name === undefined ? [] : [{ file, of: placeOf(file, name) }]));
}

/** What stands in quotation marks of any kind; nothing of an expression, which is computed when it runs. */
function literal(expression: string): string | undefined {
  return /^(['"`])([^$]*)\1$/.exec(expression.trim())?.[2];
}

function placeOf(file: string, name: string): string {
  return name.startsWith('.') ? posix.join(posix.dirname(file), name.replace(/\?.*$/, '')) : name;
}
