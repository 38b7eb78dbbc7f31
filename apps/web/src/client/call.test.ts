import { errno } from '@sonnenwarte/contract/errors';
import { live, list as siteList } from '@sonnenwarte/contract/sites/sites';
import { create, questionTypes } from '@sonnenwarte/contract/work-orders/work-orders';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { globalState } from '../state/global-state.ts';
import { call, resultOf, urlOf } from './call.ts';
import { serverNowMs } from './clock.ts';
import { failureTextNow } from './failure-text.ts';
import { ApiError, NetworkError, StatusError } from './failures.ts';
import { connectOutlets } from './reporting.ts';

vi.mock('./line.ts', () => ({ noteHeard: vi.fn(), noteUnanswered: vi.fn() }));

const answer = (body: unknown, init: ResponseInit = {}) => new Response(JSON.stringify(body), init);

afterEach(() => vi.unstubAllGlobals());

describe('answers', () => {
  test('errno 0 gives the result', async () => {
    expect(await resultOf(answer({ errno: 0, msg: 'success', result: { a: 1 } }))).toEqual({ a: 1 });
  });

  test('a nonzero errno is an ApiError that carries the refused fields', async () => {
    const refused = resultOf(answer({ errno: 40257, msg: 'x', result: { fields: [] } }));
    await expect(refused).rejects.toMatchObject({ errno: 40257, result: { fields: [] } });
    await expect(refused).rejects.toBeInstanceOf(ApiError);
  });

  test('an answer that is no envelope is judged by its HTTP status', async () => {
    const refused = resultOf(new Response('<html>', { status: 403 }));
    await expect(refused).rejects.toBeInstanceOf(StatusError);
    await expect(refused).rejects.toMatchObject({ status: 403 });
  });

  test('a page instead of an envelope with HTTP 200 is a server error', async () => {
    await expect(resultOf(new Response('<html>'))).rejects.toMatchObject({ status: 500 });
  });

  test('that breaks off while it is read, since its tab was left, is no failure of the server', async () => {
    const left = new DOMException('left', 'AbortError');
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"errno":0,'));
        controller.error(left);
      },
    });
    await expect(resultOf(new Response(body))).rejects.toBe(left);
  });
});

describe('a call', () => {
  test('a GET puts its input into the query and leaves out what is undefined', () => {
    expect(urlOf('/c/v0/plant/detail', { stationID: 'a b', other: undefined })).toBe(
      '/c/v0/plant/detail?stationID=a+b',
    );
    expect(urlOf('/c/v0/user/info', {})).toBe('/c/v0/user/info');
  });

  test('a POST sends its input as JSON, and signs the path', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(async () => answer({ errno: 0, msg: '', result: { total: 0 } }));
    vi.stubGlobal('fetch', fetch);
    await call(siteList, { currentPage: 2 });
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toBe('/c/v1/plant/list');
    expect(init?.body).toBe('{"currentPage":2}');
    expect(globalState.get().signature).toMatch(/^[0-9a-f]{32}\.5245784$/);
  });

  test('that opens a work order says that it comes from the web', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(async () => answer({ errno: 0, msg: '', result: {} }));
    vi.stubGlobal('fetch', fetch);
    await call(questionTypes, {});
    await call(create, { title: 'x', category: 'other', product: 'portal', text: 'x' });
    await call(siteList, {});
    const sent = fetch.mock.calls.map(([, init]) => new Headers(init?.headers).get('platForm'));
    expect(sent).toEqual(['web', 'web', null]);
  });

  test('the clock follows the time that the server sends', async () => {
    const aheadMs = 3_600_000;
    vi.stubGlobal('fetch', async () =>
      answer({ errno: 0, msg: '', result: {} }, { headers: { 'x-server-time': String(Date.now() + aheadMs) } }),
    );
    await call(live, { stationID: 'x' });
    expect(Math.abs(serverNowMs() - Date.now() - aheadMs)).toBeLessThan(1_000);
  });

  test('a failure that the screen shows in place is not told again, but what ends the session is acted on', async () => {
    const show = vi.fn();
    const go = vi.fn();
    connectOutlets({ show, go, textOf: failureTextNow });
    vi.stubGlobal('fetch', async () => answer({ errno: errno.queryFailed, msg: 'x', result: null }));
    await expect(call(live, { stationID: 'x' }, { inPlace: true })).rejects.toBeInstanceOf(ApiError);
    vi.stubGlobal('fetch', async () => new Response('<html>', { status: 401 }));
    await expect(call(live, { stationID: 'x' }, { inPlace: true })).rejects.toBeInstanceOf(StatusError);
    await vi.waitFor(() => expect(go).toHaveBeenCalledWith('/login'));
    expect(show).not.toHaveBeenCalled();
  });

  test('a broken connection is a NetworkError, and the loading counter is back at 0', async () => {
    vi.stubGlobal('fetch', async () => {
      expect(globalState.get().loading).toBe(1);
      throw new TypeError('Failed to fetch');
    });
    await expect(call(live, { stationID: 'x' }, { quiet: true })).rejects.toBeInstanceOf(NetworkError);
    expect(globalState.get().loading).toBe(0);
  });
});
