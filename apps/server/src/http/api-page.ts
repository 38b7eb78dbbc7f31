import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { allEndpoints } from '@sonnenwarte/contract/endpoints';
import type { FastifyInstance } from 'fastify';
import { openApi } from './openapi.ts';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sonnenwarte API</title>
<link rel="stylesheet" href="/docs/api/assets/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/api/assets/swagger-ui-bundle.js"></script>
<script src="/docs/api/page.js"></script>
</body>
</html>
`;

const script = `window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  supportedSubmitMethods: [],
});
`;

// Swagger UI sets style attributes; the page holds no data of customers.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** OpenAPI 3.1 at /openapi.json and a page to read it at /docs/api. */
export async function apiPage(app: FastifyInstance): Promise<void> {
  const description = openApi(allEndpoints);
  app.get('/openapi.json', async () => description);
  app.get('/docs/api', async (_, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page),
  );
  app.get('/docs/api/page.js', async (_, reply) => reply.type('text/javascript; charset=utf-8').send(script));
  await app.register(fastifyStatic, {
    root: path.dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json'))),
    prefix: '/docs/api/assets/',
    decorateReply: false,
    allowedPath: (file) => file === '/swagger-ui.css' || file === '/swagger-ui-bundle.js',
  });
}
