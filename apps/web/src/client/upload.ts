import type { Endpoint, Input, Result } from '@sonnenwarte/contract/endpoint';
import { headersNow, resultOf } from './call.ts';
import { isFailure, NetworkError } from './failures.ts';

/** A file takes longer on its way than a question. */
const UPLOAD_TIMEOUT_MS = 120_000;

/** Sends a file with what its endpoint takes besides, to one that is patient without a time limit. What fails is thrown, and told where the file is shown. */
export async function upload<const E extends Endpoint & { readonly upload: { readonly isPatient?: true } }>(
  endpoint: E,
  input: Input<E>,
  file: Blob,
): Promise<Result<E>> {
  const timeLimit =
    endpoint.upload.isPatient === true ? new AbortController().signal : AbortSignal.timeout(UPLOAD_TIMEOUT_MS);
  // The browser says where the parts of the body end.
  const { 'content-type': _, ...headers } = headersNow(endpoint);
  const body = new FormData();
  for (const [name, value] of Object.entries(input as object)) body.append(name, String(value));
  body.append('file', file);
  try {
    const response = await fetch(endpoint.path, {
      method: 'POST',
      headers,
      body,
      credentials: 'omit',
      cache: 'no-store',
      signal: timeLimit,
    });
    return (await resultOf(response)) as Result<E>;
  } catch (error) {
    if (isFailure(error)) throw error;
    throw new NetworkError(timeLimit.aborted);
  }
}
