import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hardCodedTexts } from '../testing/hard-coded-texts.ts';

const folder = join(import.meta.dirname, '..');

test('no source file of the web app shows a text that is not in the catalogues', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: folder }).filter((file) => !/\.test\.tsx?$|\.d\.ts$/.test(file));
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    hardCodedTexts(file, readFileSync(join(folder, file), 'utf8')).map((text) => `${file}:${text}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ['<p>Plant list</p>', 'Plant list'],
  ["<p>{'Plant list'}</p>", 'Plant list'],
  ['<p>{n} plants</p>', 'plants'],
  ["<p>{n > 1 ? n + ' plants' : null}</p>", 'plants'],
  ['<p>{n > 1 ? `many plants` : null}</p>', 'many plants'],
  ["<p>{open && 'Open'}</p>", 'Open'],
  ["<p>{name ?? 'Nobody'}</p>", 'Nobody'],
  ['<button aria-label="Close" />', 'Close'],
  ["<Field label={named ? t('a.b') : 'Name'} />", 'Name'],
  ["showNotice({ text: 'Saved' })", 'Saved'],
  ["const columns = [{ key: 'x', label: 'State' }]", 'State'],
])('%s is found', (source, text) => {
  expect(hardCodedTexts('x.tsx', source)).toEqual([`1: ${text}`]);
});

test.each([
  "<p className=\"plain\" data-look={'small'}>{t('sites.list.title')}</p>",
  '<p>{count} / {total} · {format.power(w)}</p>',
  "<Icon type=\"date\" label={t('a.b', { name: 'pv' })} />",
  "throw new Error('This cannot be')",
  '<b>Sonnenwarte</b>',
])('%s shows nothing of its own', (source) => {
  expect(hardCodedTexts('x.tsx', source)).toEqual([]);
});
