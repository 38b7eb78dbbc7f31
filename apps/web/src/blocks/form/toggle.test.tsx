import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Toggle } from './toggle.tsx';

const markup = (busy: boolean): string =>
  renderToStaticMarkup(
    <Toggle label="Active" about="anna@example.com" checked busy={busy} onChange={() => undefined} />,
  );

test('a switch keeps the focus of the keyboard while it takes effect', () => {
  expect(markup(true)).toContain('aria-disabled="true"');
  expect(markup(true)).not.toMatch(/ disabled/);
});

test('of several switches with one label each says what it switches', () => {
  expect(markup(false)).toContain('aria-label="Active: anna@example.com"');
});
