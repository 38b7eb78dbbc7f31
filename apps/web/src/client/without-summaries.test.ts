import { expect, test } from 'vitest';
import { withoutSummariesIn } from '../../without-summaries.ts';

test('sentences of the API description are left out of what browsers load, and nothing else', () => {
  const code = `endpoint({
    summary: 'Plants in scope, by the owner\\'s name.',
    path: '/c/v0/fleet/summary',
    list: other({ title: 'summary: none' }) });
  const next = { summary:
    'On a line of its own.', summary: told.summary };`;
  expect(withoutSummariesIn(code)).toBe(`endpoint({
    summary: '',
    path: '/c/v0/fleet/summary',
    list: other({ title: 'summary: none' }) });
  const next = { summary:
    '', summary: told.summary };`);
});
