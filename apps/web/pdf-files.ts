import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { isPortal } from './built-root.ts';

/** Folders of the PDF reader from which it fetches, by their own names, what only some documents need. */
const FOLDERS = ['cmaps', 'standard_fonts', 'wasm'] as const;
const NEEDED = /\.(?:bcmap|pfb|ttf|wasm)$|_nowasm_fallback\.js$/;
/** Runs scripts that stand in documents, which nobody does here. */
const UNUSED = /quickjs/;

/** Puts beside the app what some PDFs need: characters of Asian scripts, the usual typefaces, decoders of scanned pages. */
export function pdfFiles(): Plugin {
  return {
    name: 'pdf-files',
    apply: isPortal,
    generateBundle() {
      const root = path.dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')));
      const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
      for (const folder of FOLDERS) {
        for (const name of readdirSync(path.join(root, folder))) {
          if (!NEEDED.test(name) || UNUSED.test(name)) continue;
          this.emitFile({
            type: 'asset',
            fileName: `assets/pdf-${version}/${folder}/${name}`,
            source: readFileSync(path.join(root, folder, name)),
          });
        }
      }
    },
  };
}
