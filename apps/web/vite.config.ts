import locales from '@react-aria/optimize-locales-plugin';
import { languages, localeOf } from '@sonnenwarte/contract/languages';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { acyclicFiles } from './acyclic-files.ts';
import { firstFiles } from './first-files.ts';
import { firstPages } from './first-pages.ts';
import { inlineIcon } from './inline-icon.ts';
import { pdfFiles } from './pdf-files.ts';
import { precompress } from './precompress.ts';
import { screenTexts } from './screen-texts.ts';
import { singleIcons } from './single-icons.ts';
import { withoutSummaries } from './without-summaries.ts';
import { workerFiles } from './worker-files.ts';

/** Browsers that know `light-dark()`; a lower target rewrites it into variables that nothing sets. */
const browsers = ['chrome123', 'edge123', 'firefox125', 'safari17.5'];

/** Languages whose words the widgets bring along; `en-US` is the one English that they have. */
const widgetLocales = languages.map((language) => (language === 'en' ? 'en-US' : localeOf(language)));

export default defineConfig({
  plugins: [
    singleIcons(),
    withoutSummaries(),
    react(),
    { ...locales.vite({ locales: widgetLocales }), enforce: 'pre' },
    screenTexts(),
    acyclicFiles(),
    firstFiles(),
    inlineIcon(),
    pdfFiles(),
    workerFiles(),
    precompress(),
  ],
  build: {
    target: browsers,
    cssTarget: browsers,
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ debugName: 'first pages', name: firstPages() }],
        },
      },
    },
  },
  server: {
    proxy: {
      '/c/': 'http://127.0.0.1:8080',
      '/generic/': 'http://127.0.0.1:8080',
      '/op/': 'http://127.0.0.1:8080',
    },
  },
});
