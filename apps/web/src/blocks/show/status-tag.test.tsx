import { state } from '@sonnenwarte/contract/status';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { StatusMark } from './status-tag.tsx';

test('each state has a shape of its own, so that none is told by its colour alone', () => {
  const shapes = state.options.map((each) =>
    renderToStaticMarkup(<StatusMark state={each} />).replaceAll(/ data-state="\w+"/g, ''),
  );
  expect(new Set(shapes).size).toBe(state.options.length);
});
