import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Dropdown } from './dropdown.tsx';

const idsAfter = (name: string, markup: string): string[] =>
  (new RegExp(` ${name}="([^"]*)"`).exec(markup)?.[1] ?? '').split(' ').filter((id) => id !== '');

test('what is chosen is read out although a label names the button', () => {
  const markup = renderToStaticMarkup(
    <Dropdown button="Europe/Berlin" className="" control={{ id: 'zone', 'aria-describedby': 'hint' }}>
      {() => null}
    </Dropdown>,
  );
  const [hint, shown] = idsAfter('aria-describedby', markup);
  expect(hint).toBe('hint');
  expect(markup).toContain(`<span id="${shown}"`);
  expect(markup.split(`<span id="${shown}"`)[1]).toContain('>Europe/Berlin<');
});

test('a button that its own content names is described by nothing', () => {
  const markup = renderToStaticMarkup(
    <Dropdown button="Anna" className="">
      {() => null}
    </Dropdown>,
  );
  expect(idsAfter('aria-describedby', markup)).toEqual([]);
});
