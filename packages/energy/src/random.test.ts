import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Random } from './random.ts';

const draw = (random: Random, count = 20) => Array.from({ length: count }, () => random.uint32());

function moments(values: number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) };
}

describe('Random', () => {
  test('the same seed gives the same series, another seed another', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer({ min: 0, max: 2 ** 32 - 1 })), (seed) => {
        expect(draw(new Random(seed))).toEqual(draw(new Random(seed)));
      }),
    );
    expect(draw(new Random('a'))).not.toEqual(draw(new Random('b')));
  });

  test('a saved state goes on where it was', () => {
    const random = new Random(7);
    draw(random);
    expect(draw(new Random(random.state))).toEqual(draw(random));
  });

  test('a fork is told by its name and does not move its parent', () => {
    const random = new Random(7);
    const before = random.state;
    expect(draw(random.fork('clouds'))).not.toEqual(draw(random.fork('load')));
    expect(random.state).toEqual(before);
  });

  test('distributions have their means and deviations', () => {
    const random = new Random(42);
    const many = (next: () => number) => moments(Array.from({ length: 40_000 }, next));
    const uniform = many(() => random.between(2, 4));
    expect(uniform.mean).toBeCloseTo(3, 1);
    expect(uniform.deviation).toBeCloseTo(2 / Math.sqrt(12), 1);
    const normal = many(() => random.normal(10, 3));
    expect(normal.mean).toBeCloseTo(10, 0);
    expect(normal.deviation).toBeCloseTo(3, 1);
    const exponential = many(() => random.exponential(5));
    expect(exponential.mean).toBeCloseTo(5, 0);
    expect(many(() => random.weibull(2, 2)).mean).toBeCloseTo(2 * 0.8862, 1);
    expect(new Set(Array.from({ length: 200 }, () => random.integer(3)))).toEqual(new Set([0, 1, 2]));
  });
});
