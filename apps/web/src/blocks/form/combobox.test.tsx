import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Combobox } from './combobox.tsx';

const markup = (required: boolean): string =>
  renderToStaticMarkup(
    <Combobox
      label="Organisation"
      text=""
      placeholder=""
      choices={[]}
      chosen=""
      noMatch=""
      required={required}
      onSearch={() => undefined}
      onChoose={() => undefined}
    />,
  );

test('a record that has to be chosen is announced as such', () => {
  expect(markup(true)).toContain('aria-required="true"');
  expect(markup(false)).not.toContain('aria-required');
});
