import { afterEach, expect, test, vi } from 'vitest';
import { focusFirstField, focusFirstRefused } from './focus.ts';

afterEach(() => vi.unstubAllGlobals());

/** An element with one other inside. */
const around = (inner: object | null) => ({ focus: vi.fn(), querySelector: () => inner });
const element = (inner: object | null) => around(inner) as unknown as HTMLElement;

test('a refused field gets the focus', () => {
  const field = around(null);
  focusFirstRefused(element(field));
  expect(field.focus).toHaveBeenCalledTimes(1);
});

test('in a refused group of boxes, the first box gets the focus', () => {
  const box = around(null);
  const group = around(box);
  focusFirstRefused(element(group));
  expect(box.focus).toHaveBeenCalledTimes(1);
  expect(group.focus).not.toHaveBeenCalled();
});

test.each([true, false])('the first field gets the focus where a mouse is used: %s', (matches) => {
  vi.stubGlobal('matchMedia', () => ({ matches }));
  const field = around(null);
  focusFirstField(element(field));
  expect(field.focus).toHaveBeenCalledTimes(matches ? 1 : 0);
});

test('where nothing is refused, the focus stays', () => {
  expect(() => focusFirstRefused(element(null))).not.toThrow();
});
