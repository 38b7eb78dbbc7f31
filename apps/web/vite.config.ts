import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

/** Browsers that know `light-dark()`; a lower target rewrites it into variables that nothing sets. */
const browsers = ['chrome123', 'edge123', 'firefox125', 'safari17.5'];

export default defineConfig({
  plugins: [react(), precompress()],
  build: {
    target: browsers,
    cssTarget: browsers,
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      '/c/': 'http://127.0.0.1:8080',
      '/generic/': 'http://127.0.0.1:8080',
      '/op/': 'http://127.0.0.1:8080',
    },
  },
});
