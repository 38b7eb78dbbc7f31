import type { Endpoint, Input } from '@sonnenwarte/contract/endpoint';
import { loadingBegins, loadingEnds } from '../state/loading.ts';
import { headersNow, resultOf } from './call.ts';
import { learnServerTime } from './clock.ts';
import { isFailure, NetworkError, StatusError } from './failures.ts';
import { report } from './reporting.ts';

/** A large file takes longer than an answer of a screen. */
const DOWNLOAD_TIMEOUT_MS = 180_000;

/** File name of a `content-disposition` header: the encoded form before the plain one, never with a folder. */
export function fileNameOf(disposition: string | null): string | undefined {
  const encoded = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;]+))/i.exec(disposition ?? '');
  const name = decoded(encoded?.trim()) ?? plain?.[1] ?? plain?.[2]?.trim();
  return name?.replaceAll(/[/\\]/g, '_') || undefined;
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Saves a file under a name. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The file that a call answers with, and its name; a refusal is thrown as the failure that it is. */
export async function fetchFile(endpoint: Endpoint, input: object): Promise<{ file: Blob; name: string | undefined }> {
  const timeLimit = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
  try {
    const headers = headersNow(endpoint);
    const sentAtMs = Date.now();
    const response = await fetch(endpoint.path, {
      method: 'POST',
      headers,
      body: JSON.stringify(input),
      credentials: 'omit',
      cache: 'no-store',
      signal: timeLimit,
    });
    learnServerTime(response.headers.get('x-server-time'), sentAtMs, Date.now());
    const disposition = response.headers.get('content-disposition');
    if (!response.ok || disposition === null) {
      await resultOf(response);
      throw new StatusError(500, response.statusText);
    }
    return { file: await response.blob(), name: fileNameOf(disposition) };
  } catch (error) {
    if (isFailure(error)) throw error;
    throw new NetworkError(timeLimit.aborted);
  }
}

/** Calls an endpoint that answers with a file, and saves it. Failures are reported to the user once, and thrown. */
export async function download<const E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  otherName: string,
): Promise<void> {
  loadingBegins();
  try {
    const { file, name } = await fetchFile(endpoint, input);
    saveFile(file, name ?? otherName);
  } catch (error) {
    if (isFailure(error)) void report(error);
    throw error;
  } finally {
    loadingEnds();
  }
}
