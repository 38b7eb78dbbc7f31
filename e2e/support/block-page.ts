import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { serveWeb } from '../../apps/server/src/testing/serve-web.ts';
import { repositoryRoot } from './portal.ts';

/** The page of `e2e/blocks`, built as the portal is and served with its policy. */
export async function startBlockPage(): Promise<{ url: string; stop(): Promise<void> }> {
  const outDir = mkdtempSync(join(tmpdir(), 'sonnenwarte-blocks-'));
  await build({
    configFile: join(repositoryRoot, 'apps', 'web', 'vite.config.ts'),
    root: join(repositoryRoot, 'e2e', 'blocks'),
    logLevel: 'error',
    publicDir: join(repositoryRoot, 'apps', 'web', 'public'),
    build: { outDir, emptyOutDir: true },
  });
  const web = await serveWeb(outDir);
  return {
    url: web.url,
    stop: async () => {
      await web.stop();
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}
