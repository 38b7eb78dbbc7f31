import { expect, test } from 'vitest';
import { languageOfFile, nameOfFile } from './file-name.ts';

test('a document is called after its file', () => {
  expect(nameOfFile('HX-8K_User_Manual_DE.PDF')).toBe('HX-8K User Manual DE');
  expect(nameOfFile(`${'x'.repeat(300)}.pdf`)).toHaveLength(120);
});

test.each([
  ['manual_DE.pdf', 'de'],
  ['manual-zh_CN.pdf', 'zh_CN'],
  ['manual zh.pdf', 'zh_CN'],
  ['made.pdf', undefined],
  ['modelde.pdf', undefined],
])('the language of %s is %s', (name, language) => {
  expect(languageOfFile(name)).toBe(language);
});
