import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

/** Puts the icon into the page itself, which saves each first page a request; others find it as a file. */
export function inlineIcon(): Plugin {
  return {
    name: 'inline-icon',
    apply: 'build',
    transformIndexHtml: (html) => {
      const icon = readFileSync(path.join(import.meta.dirname, 'public/favicon.svg'), 'utf8');
      const small = icon.replaceAll(/>\s+</g, '><').replaceAll(/\s+/g, ' ').trim();
      return html.replace('href="/favicon.svg"', `href="data:image/svg+xml,${encodeURIComponent(small)}"`);
    },
  };
}
