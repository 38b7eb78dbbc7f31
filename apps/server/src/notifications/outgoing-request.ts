import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { DeliveryFailure } from '@sonnenwarte/contract/notifications/notifications';
import { AddressRefused, checkedLookup, isAllowedUrl, type OutgoingRules } from '../outgoing/outgoing-address.ts';

/** Why nothing arrived; the text is a reason that the portal can name. */
export class DeliveryError extends Error {
  override name = 'DeliveryError';
  readonly reason: DeliveryFailure;
  readonly status: number | null;

  constructor(reason: DeliveryFailure, status: number | null = null) {
    super(status === null ? reason : `${reason} ${status}`);
    this.reason = reason;
    this.status = status;
  }
}

const TIMEOUT_MS = 5_000;

/** Posts to an address that a user gave. No redirect is followed, nothing of the answer but its status is read. */
export function post(
  target: string,
  message: { headers: Readonly<Record<string, string>>; body: string | Buffer },
  rules: OutgoingRules,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  if (!isAllowedUrl(target, rules)) return Promise.reject(new DeliveryError('addressRefused'));
  const url = new URL(target);
  const plain = url.protocol === 'http:';
  return new Promise((done, failed) => {
    const timeLimit = AbortSignal.timeout(timeoutMs);
    const request = (plain ? requestHttp : requestHttps)(
      url,
      {
        method: 'POST',
        headers: { ...message.headers, 'content-length': String(Buffer.byteLength(message.body)) },
        agent: false,
        signal: timeLimit,
        lookup: checkedLookup(plain, rules),
      },
      (response) => {
        const status = response.statusCode ?? 0;
        response.destroy();
        if (status >= 200 && status < 300) done();
        else if (status >= 300 && status < 400) failed(new DeliveryError('redirect', status));
        else if (status === 404 || status === 410) failed(new DeliveryError('gone', status));
        else failed(new DeliveryError('status', status));
      },
    );
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error instanceof AddressRefused) failed(new DeliveryError('addressRefused'));
      else if (timeLimit.aborted) failed(new DeliveryError('timeout'));
      else failed(new DeliveryError(isCertificate(error.code) ? 'certificate' : 'unreachable'));
    });
    request.end(message.body);
  });
}

const isCertificate = (code: string | undefined): boolean =>
  code !== undefined && /CERT|ALTNAME|SELF_SIGNED|UNABLE_TO_VERIFY|EPROTO/.test(code);
