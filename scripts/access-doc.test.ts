import { routes } from '@sonnenwarte/contract/routes';
import { describe, expect, test } from 'vitest';
import { accessDocument, endpointPartOf, endpointSection, routeSection, writtenAccess } from './access-doc.ts';

const rowOf = (document: string, start: string): string[] =>
  (document.split('\n').find((line) => line.startsWith(`| ${start}`)) ?? '').split('|').map((cell) => cell.trim());

describe('docs/access.md', () => {
  test('is what the contract says now; npm run docs:access writes it anew', () => {
    expect(writtenAccess()).toBe(accessDocument(endpointPartOf(writtenAccess())));
  });

  test('has one row per route', () => {
    const lines = routeSection().split('\n');
    for (const { path } of routes) expect(lines.filter((line) => line.startsWith(`| \`${path}\` |`))).toHaveLength(1);
  });

  test('says who is let in, who needs a code, and who is led away', () => {
    expect(rowOf(routeSection(), '`/bus/user/management`').slice(5, 12)).toEqual([
      'login',
      '–',
      '–',
      '–',
      'open',
      '–',
      'code',
    ]);
    expect(rowOf(routeSection(), '`/bus/version/emsUpgrade`').slice(4, 12)).toEqual([
      '`emsUpgrade:info`',
      'login',
      '–',
      'code',
      'code',
      'code',
      '–',
      'code',
    ]);
  });

  test('prints what a call was answered: one answer where all three are the same', () => {
    const section = endpointSection([
      {
        method: 'GET',
        path: '/c/v0/plant/detail',
        codes: [],
        answers: {
          'signed out': { own: '41809', stranger: '41809', missing: '41809' },
          '1': { own: 'ok', stranger: '41931', missing: '41931' },
          '10': {},
        },
      },
    ]);
    expect(rowOf(section, 'GET `/c/v0/plant/detail`').slice(3, 9)).toEqual([
      '41809',
      'ok / 41931 / 41931',
      '',
      '',
      '',
      '',
    ]);
    expect(endpointPartOf(accessDocument(section))).toBe(section);
  });
});
