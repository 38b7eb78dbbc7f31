import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { draftKey, dropDraft, forgetDrafts, keepDraft, keepDraftsOf, NO_TAB, readDraft } from './drafts.ts';

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => {
  forgetDrafts();
  vi.unstubAllGlobals();
});

const key = draftKey('members', '/c/v0/member/add', '');

describe('a draft', () => {
  test('outlives the screen and the page of its browser tab', () => {
    keepDraft(key, { name: 'Anna' });
    expect(readDraft(key)).toEqual({ name: 'Anna' });
    expect(JSON.parse(stored.get('drafts') ?? '')).toEqual({ [key]: { name: 'Anna' } });
  });

  test('is read from the browser where the memory of the page is new', () => {
    stored.set('drafts', JSON.stringify({ [key]: { name: 'Anna' } }));
    expect(readDraft(key)).toEqual({ name: 'Anna' });
  });

  test('is gone once dropped, and once nothing differs any more', () => {
    keepDraft(key, { name: 'Anna' });
    dropDraft(key);
    expect(readDraft(key)).toEqual({});
    keepDraft(key, { name: 'Anna' });
    keepDraft(key, {});
    expect(readDraft(key)).toEqual({});
    expect(stored.size).toBe(0);
  });

  test('belongs to one tab, one call and one record', () => {
    keepDraft(key, { name: 'Anna' });
    expect(readDraft(draftKey('members', '/c/v0/member/add', '7'))).toEqual({});
    expect(readDraft(draftKey('members', '/c/v0/member/edit', ''))).toEqual({});
    expect(readDraft(draftKey('other', '/c/v0/member/add', ''))).toEqual({});
  });

  test('goes with its tab, but not with others, and never where there is no tab', () => {
    const other = draftKey('audit', '/c/v0/audit/verify', '');
    const outside = draftKey(NO_TAB, '/c/v0/user/sign-up', '');
    for (const each of [key, other, outside]) keepDraft(each, { name: 'Anna' });
    keepDraftsOf(new Set(['audit']));
    expect([key, other, outside].map(readDraft)).toEqual([{}, { name: 'Anna' }, { name: 'Anna' }]);
  });

  test('goes with its tab, though nothing has read it since the page was loaded', () => {
    stored.set('drafts', JSON.stringify({ [key]: { name: 'Anna' } }));
    keepDraftsOf(new Set());
    expect(stored.size).toBe(0);
  });

  test.each(['"text"', '[1]', 'null', 'broken', `{"${key}":"text"}`])('stored as %s counts as none', (text) => {
    stored.set('drafts', text);
    expect(readDraft(key)).toEqual({});
  });
});
