import { describe, expect, test } from 'vitest';
import { resultOf } from './call.ts';
import { ApiError, StatusError } from './failures.ts';

const brokenOff = (reason: Error) =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"errno":0,'));
        controller.error(reason);
      },
    }),
  );

describe('the result of an answer', () => {
  test('is what the envelope holds', async () => {
    expect(await resultOf(Response.json({ errno: 0, msg: 'success', result: { a: 1 } }))).toEqual({ a: 1 });
  });

  test('of a refusal is an error with its number', async () => {
    const refused = resultOf(Response.json({ errno: 41931, msg: 'x', result: null }));
    await expect(refused).rejects.toBeInstanceOf(ApiError);
  });

  test('that is no envelope stands for its status', async () => {
    await expect(resultOf(new Response('<html>', { status: 200 }))).rejects.toBeInstanceOf(StatusError);
    await expect(resultOf(new Response('', { status: 502 }))).rejects.toMatchObject({ status: 502 });
  });

  test('that breaks off while it is read, since its tab was left, is no failure of the server', async () => {
    const left = new DOMException('left', 'AbortError');
    await expect(resultOf(brokenOff(left))).rejects.toBe(left);
  });
});
