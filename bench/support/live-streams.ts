import { Agent, request } from 'node:http';
import { type LiveEvent, stream } from '@sonnenwarte/contract/live/live';
import { signatureBase, WEB_CLIENT_ID } from '@sonnenwarte/contract/signature';
import { md5Hex } from './portal.ts';

export interface OpenStream {
  close(): void;
}

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

/** Opens a live stream as a signed-in browser does; resolves with the first event. */
export function openStream(
  url: string,
  token: string,
  subjects: readonly string[],
  hear: (event: LiveEvent, arrivedMs: number) => void,
): Promise<OpenStream> {
  const timestamp = String(Date.now());
  const lang = 'en';
  const { path } = stream;
  const headers = {
    lang,
    token,
    timezone: 'Europe/Berlin',
    timestamp,
    'content-type': 'application/json',
    signature: `${md5Hex(signatureBase({ path, token, lang, timestamp }))}.${WEB_CLIENT_ID}`,
  };
  return new Promise((resolve, reject) => {
    const call = request(url + path, { method: 'POST', headers, agent }, (response) => {
      response.setEncoding('utf8');
      response.on('error', reject);
      let rest = '';
      let isOpen = false;
      response.on('data', (text: string) => {
        const arrivedMs = performance.timeOrigin + performance.now();
        const parts = (rest + text).split('\n\n');
        rest = parts.pop() ?? '';
        for (const part of parts) {
          if (!part.startsWith('data: ')) continue;
          hear(JSON.parse(part.slice(6)) as LiveEvent, arrivedMs);
          if (isOpen) continue;
          isOpen = true;
          resolve({ close: () => call.destroy() });
        }
      });
      response.on('end', () => {
        if (!isOpen) reject(new Error(`the live stream ended with ${response.statusCode}: ${rest}`));
      });
    });
    call.on('error', reject);
    call.end(JSON.stringify({ subjects }));
  });
}
