import { describe, expect, test } from 'vitest';
import { allWithin, eachWithin, patiently, StoreAwayError, statementMs, statementSignal } from './patience.ts';

const never = () => new Promise<never>(() => undefined);

describe('a call that may take so long in all', () => {
  test('is answered in time, whatever it waits for', async () => {
    await expect(allWithin(20, never)).rejects.toBeInstanceOf(StoreAwayError);
    expect(await allWithin(60_000, async () => 7)).toBe(7);
    await expect(allWithin(60_000, () => Promise.reject(new Error('own')))).rejects.toThrow('own');
  });

  test('leaves its statements what is left of it, and breaks them off with itself', async () => {
    let signal: AbortSignal | undefined;
    const call = allWithin(50, async () => {
      expect(statementMs()).toBeLessThanOrEqual(50);
      signal = statementSignal();
      expect(signal?.aborted).toBe(false);
      await never();
    });
    await expect(call).rejects.toBeInstanceOf(StoreAwayError);
    expect(signal?.aborted).toBe(true);
  });

  test('begins no statement once it is given up', async () => {
    let later: Promise<unknown> = Promise.resolve();
    let goOn: () => void = () => undefined;
    const call = allWithin(20, async () => {
      later = new Promise<void>((resolve) => {
        goOn = resolve;
      }).then(() => statementMs());
      await never();
    });
    await expect(call).rejects.toBeInstanceOf(StoreAwayError);
    goOn();
    await expect(later).rejects.toBeInstanceOf(StoreAwayError);
  });

  test('does not hurry what it began and does not wait for', async () => {
    let later: Promise<unknown> = Promise.resolve();
    let goOn: () => void = () => undefined;
    await allWithin(1_000, async () => {
      later = new Promise<void>((resolve) => {
        goOn = resolve;
      }).then(() => [statementMs(), statementSignal()]);
    });
    goOn();
    expect(await later).toEqual([120_000, undefined]);
  });
});

test('a call of many statements may take as long as it needs while each is answered in time', async () => {
  await eachWithin(30, async () => {
    for (let n = 0; n < 3; n += 1)
      await patiently(new Promise((resolve) => setTimeout(resolve, 20)), statementMs(), never);
    let gaveUp = false;
    const giveUp = () => {
      gaveUp = true;
    };
    await expect(patiently(never(), statementMs(), giveUp)).rejects.toBeInstanceOf(StoreAwayError);
    expect(gaveUp).toBe(true);
  });
});
