import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { checkedLookup, isAllowedUrl, type OutgoingRules } from './outgoing-address.ts';

/** How long an answer may take and how much of it is read. */
export interface AnswerBounds {
  readonly timeoutMs: number;
  readonly mostBytes: number;
}

/**
 * Asks an address for JSON. No redirect is followed. Rejects where the address may not be called, and where what comes is no JSON, too much, too late
 * or no success.
 */
export function getJson(url: URL, rules: OutgoingRules, { timeoutMs, mostBytes }: AnswerBounds): Promise<unknown> {
  if (!isAllowedUrl(url.href, rules)) return Promise.reject(new Error('the address may not be called'));
  const plain = url.protocol === 'http:';
  return new Promise((done, failed) => {
    const request = (plain ? requestHttp : requestHttps)(
      url,
      {
        headers: { accept: 'application/json', 'user-agent': 'Sonnenwarte' },
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
        response.on('end', () => {
          try {
            done(JSON.parse(Buffer.concat(parts).toString('utf8')));
          } catch (error) {
            failed(error instanceof Error ? error : new Error('no JSON'));
          }
        });
      },
    );
    request.on('error', failed);
    request.end();
  });
}
