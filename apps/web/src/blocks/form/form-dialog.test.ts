import { expect, test } from 'vitest';
import { closingOf } from './form-dialog.tsx';

const form = { busy: false, dirty: true };

test('typed text is dropped only after asking, and a second Escape is no answer', () => {
  expect(closingOf(form, false)).toBe('ask');
  expect(closingOf(form, true)).toBe('edit');
});

test('a form without typed text is left at once', () => {
  expect(closingOf({ ...form, dirty: false }, false)).toBe('leave');
});

test('a form is not left while it is sent', () => {
  for (const asking of [false, true]) expect(closingOf({ ...form, busy: true }, asking)).toBe('wait');
});
