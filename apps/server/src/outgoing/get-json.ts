import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { checkedLookup, isAllowedUrl, type OutgoingRules } from './outgoing-address.ts';

/** How long an answer may take and how much of it is read. */
export interface AnswerBounds {
  readonly timeoutMs: number;
  readonly mostBytes: number;
}

/** Asks an address for JSON, as `getText` does. Rejects where what comes is none. */
export const getJson = async (url: URL, rules: OutgoingRules, bounds: AnswerBounds): Promise<unknown> =>
  JSON.parse(await getText(url, rules, bounds));

/**
 * Asks an address for a text. No redirect is followed. Rejects where the address may not be called, and where what comes is too much, too late
 * or no success.
 */
export function getText(
  url: URL,
  rules: OutgoingRules,
  { timeoutMs, mostBytes }: AnswerBounds,
  accept = 'application/json',
): Promise<string> {
  if (!isAllowedUrl(url.href, rules)) return Promise.reject(new Error('the address may not be called'));
  const plain = url.protocol === 'http:';
  return new Promise((done, failed) => {
    const request = (plain ? requestHttp : requestHttps)(
      url,
      {
        headers: { accept, 'user-agent': 'Sonnenwarte' },
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
        lookup: checkedLookup(plain, rules),
      },
      (response) => {
        const status = response.statusCode ?? 0;
        if (status !== 200) {
          response.destroy();
          failed(new Error(`it answered ${status}`));
          return;
        }
        const parts: Buffer[] = [];
        let bytes = 0;
        response.on('data', (part: Buffer) => {
          bytes += part.length;
          if (bytes > mostBytes) response.destroy(new Error(`its answer is longer than ${mostBytes} bytes`));
          else parts.push(part);
        });
        response.on('error', failed);
        response.on('end', () => done(Buffer.concat(parts).toString('utf8')));
      },
    );
    request.on('error', failed);
    request.end();
  });
}
