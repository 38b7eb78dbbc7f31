import { expect, test } from 'vitest';
import { endpoint, writes } from './endpoint.ts';
import { allEndpoints, features } from './endpoints.ts';
import { add } from './members/members.ts';

test('every feature has a call', () => {
  const called = new Set<string>(allEndpoints.map(({ feature }) => feature));
  expect(features.filter((feature) => !called.has(feature))).toEqual([]);
});

test('a call that changes or belongs to what is no feature does not compile', () => {
  // @ts-expect-error a slip of the pen
  expect(endpoint({ ...add, changes: ['membrs'] })).toBeDefined();
  // @ts-expect-error the same for its own feature
  expect(endpoint({ ...add, feature: 'membrs' })).toBeDefined();
});

test('what a call says that it changes is read by another call', () => {
  const read = new Set<string>(allEndpoints.filter((each) => !writes(each)).map(({ feature }) => feature));
  const idle = allEndpoints.flatMap(({ path, changes = [] }) =>
    changes.filter((feature) => !read.has(feature)).map((feature) => `${path}: ${feature}`),
  );
  expect(idle).toEqual([]);
});

test('a call that adds, edits, moves or deletes a record changes what its own feature answers', () => {
  const silent = allEndpoints.filter(
    (each) => writes(each) && /(add|edit|move|delete|undo)$/i.test(each.path) && !each.changes?.includes(each.feature),
  );
  expect(silent.map(({ path }) => path)).toEqual([]);
});
