import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Browsers that know `light-dark()`; a lower target rewrites it into variables that nothing sets. */
const browsers = ['chrome123', 'edge123', 'firefox125', 'safari17.5'];

const languageChunk = (id: string): string | null => {
  const [, feature, language] = /packages\/phrases\/src\/([a-z-]+)\/(\w+)\.json$/.exec(id) ?? [];
  if (language === undefined) return null;
  return feature === 'errors' ? `errors-${language}` : `language-${language}`;
};

export default defineConfig({
  plugins: [react()],
  build: {
    target: browsers,
    cssTarget: browsers,
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: languageChunk }] } } },
  },
  server: {
    proxy: {
      '/c/': 'http://127.0.0.1:8080',
      '/generic/': 'http://127.0.0.1:8080',
    },
  },
});
