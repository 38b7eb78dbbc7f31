import { expect, test } from 'vitest';
import { addTallies, minutesOf, slowestOf, tallyOf, troubleOf } from './test-tally.ts';

test('passed and failed tests are counted', () => {
  expect(tallyOf({ numPassedTests: 3, numFailedTests: 2, testResults: [] }, 1)).toEqual({ passed: 3, failed: 2 });
});

test('a file that could not be loaded is a failure', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'passed', assertionResults: [{}] },
  ];
  expect(tallyOf({ numPassedTests: 1, numFailedTests: 0, testResults }, 1)).toEqual({ passed: 1, failed: 1 });
});

test('a run that failed without a failed test, or left no report, is a failure', () => {
  expect(tallyOf({ numPassedTests: 4, numFailedTests: 0, testResults: [] }, 1)).toEqual({ passed: 4, failed: 1 });
  expect(tallyOf(undefined, 137)).toEqual({ passed: 0, failed: 1 });
});

test('projects are summed', () => {
  expect(
    addTallies([
      { passed: 1, failed: 0 },
      { passed: 2, failed: 3 },
    ]),
  ).toEqual({ passed: 3, failed: 3 });
});

test('failed tests, broken files and tests that passed at a later try are told with their reasons', () => {
  const testResults = [
    {
      name: '/home/sonnenwarte/apps/a.test.ts',
      status: 'failed',
      assertionResults: [
        { fullName: 'adds', status: 'passed', failureMessages: [] },
        { fullName: 'counts', status: 'failed', failureMessages: ['1 is not 2'] },
        { fullName: 'waits', status: 'passed', failureMessages: ['too late'] },
      ],
    },
    { name: '/home/sonnenwarte/apps/b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
  ];
  expect(troubleOf({ testResults }, '/home/sonnenwarte/')).toEqual([
    'PASSED AT A LATER TRY apps/a.test.ts > waits\ntoo late',
    'FAILED apps/a.test.ts > counts\n1 is not 2',
    'FAILED apps/b.test.ts\nno such module',
  ]);
  expect(troubleOf(undefined, '/')).toEqual([]);
});

test('the fifteen slowest files are told, the slowest first', () => {
  const times = Array.from({ length: 20 }, (_, index) => ({ file: `${index}.test.ts`, ms: 1_000 * index }));
  const told = slowestOf(times);
  expect(told).toHaveLength(15);
  expect(told[0]).toBe('   19.0 s  19.test.ts');
  expect(told.at(-1)).toBe('    5.0 s  5.test.ts');
});

test('how long a part took is told in minutes and seconds', () => {
  expect(minutesOf(9_999)).toBe('0:09 min');
  expect(minutesOf(3_725_000)).toBe('62:05 min');
});
