import { Agent, request } from 'node:http';
import type { Endpoint, Input } from '@sonnenwarte/contract/endpoint';
import type { Envelope } from '@sonnenwarte/contract/envelope';
import { signatureBase, WEB_CLIENT_ID } from '@sonnenwarte/contract/signature';
import { md5Hex } from './portal.ts';

const ANSWER_MS = 25_000;

/** Kept open between calls, so that a call costs the generator and the portal little beyond the call itself. */
const agent = new Agent({ keepAlive: true, maxSockets: 1_024, maxFreeSockets: 1_024 });

let callers = 0;
/** An address that nobody has called from before. */
export const newAddress = (): string => {
  callers += 1;
  return `10.${(callers >> 16) & 255}.${(callers >> 8) & 255}.${callers & 255}`;
};

/** A call as if from an address of its own, which a portal believes that trusts this machine as a proxy. */
export function callFrom<const E extends Endpoint>(
  url: string,
  endpoint: E,
  input: Input<E>,
  token = '',
): Promise<Envelope<unknown>> {
  const { path, method } = endpoint;
  const timestamp = String(Date.now());
  const body = JSON.stringify(input);
  return new Promise((resolve, reject) => {
    const call = request(url + path, {
      agent,
      method,
      timeout: ANSWER_MS,
      headers: {
        lang: 'en',
        token,
        timezone: 'Europe/Berlin',
        timestamp,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-forwarded-for': newAddress(),
        signature: `${md5Hex(signatureBase({ path, token, lang: 'en', timestamp }))}.${WEB_CLIENT_ID}`,
      },
    });
    call.on('timeout', () => call.destroy(new Error(`no answer within ${ANSWER_MS} ms`)));
    call.on('error', reject);
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        try {
          resolve(JSON.parse(Buffer.concat(chunks).toString()) as Envelope<unknown>);
        } catch (error) {
          reject(error);
        }
      });
    });
    call.end(body);
  });
}

/** Asks for a file and reads it to its end; answers how long it is. */
export async function exportedBytes(
  url: string,
  { path }: { readonly path: string },
  input: object,
  token: string,
): Promise<number> {
  const timestamp = String(Date.now());
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      lang: 'en',
      token,
      timezone: 'Europe/Berlin',
      timestamp,
      'content-type': 'application/json',
      signature: `${md5Hex(signatureBase({ path, token, lang: 'en', timestamp }))}.${WEB_CLIENT_ID}`,
    },
    body: JSON.stringify(input),
  });
  if (response.headers.get('content-disposition') === null) throw new Error(`${path}: ${await response.text()}`);
  return (await response.arrayBuffer()).byteLength;
}
