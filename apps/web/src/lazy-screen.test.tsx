import { Suspense } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { lazyComponent } from './lazy-screen.ts';

test('code that was fetched before is shown at once, and only what has to be fetched shows what stands in for it', async () => {
  const Part = lazyComponent(async () => () => 'the part');
  const shown = () =>
    renderToStaticMarkup(
      <Suspense fallback="waits">
        <Part />
      </Suspense>,
    );
  expect(shown()).toContain('waits');
  await Part.preload();
  expect(shown()).toBe('the part');
});
