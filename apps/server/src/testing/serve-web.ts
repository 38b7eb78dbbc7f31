import Fastify from 'fastify';
import { staticWeb } from '../http/static-web.ts';

/** Serves a built page as the portal serves its own, with the same policy, and nothing else. */
export async function serveWeb(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const app = Fastify();
  await staticWeb(app, folder);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, stop: () => app.close() };
}
