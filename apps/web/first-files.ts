import path from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { isPortal } from './built-root.ts';
import { APART, ENTRY, FIRST, WORKSPACE } from './first-pages.ts';
import { screenFiles } from './screen-files.ts';

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk;

const isChunk = (file: Bundle[string] | undefined): file is Chunk => file?.type === 'chunk';

/** A file with all that it needs, scripts and styles. */
function filesWith(start: Chunk, bundle: Bundle): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (let chunk = open.pop(); chunk; chunk = open.pop()) {
    if (found.has(chunk.fileName)) continue;
    found.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
    open.push(...chunk.imports.map((name) => bundle[name]).filter(isChunk));
  }
  return found;
}

/** What home is shown with beside its route's files, which depends on who looks. */
export const partOfHome = (part: string): string => `bus-index:${part}`;

/**
 * Lists which files each route is shown with, for a server that names them in the page: they are fetched at once then, and
 * not when the first script has run.
 */
export function firstFiles(): Plugin {
  return {
    name: 'first-files',
    apply: isPortal,
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const inRoot = (file: string) => path.join(import.meta.dirname, file);
        const of = (module: string): Set<string> => {
          const chunks = Object.values(bundle).filter(isChunk);
          const chunk =
            chunks.find(({ facadeModuleId }) => facadeModuleId === module) ??
            chunks.find(({ moduleIds }) => moduleIds.includes(module));
          if (!chunk) throw new Error(`no file of the build begins with ${module}`);
          return filesWith(chunk, bundle);
        };
        const app = of(inRoot(ENTRY));
        const workspace = of(inRoot(WORKSPACE[0]));
        const lists = [...screenFiles()].map(([route, { file, isOutside }]) => {
          const files = [...app, ...(isOutside ? [] : workspace), ...of(file)];
          return [route, [...new Set(files)]] as const;
        });
        const parts = APART.map((part) => [partOfHome(part), [...of(inRoot(FIRST[part]))]] as const);
        this.emitFile({
          type: 'asset',
          fileName: 'first-files.json',
          source: JSON.stringify(Object.fromEntries([...lists, ...parts])),
        });
      },
    },
  };
}
