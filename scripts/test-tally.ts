export interface Tally {
  passed: number;
  failed: number;
}

export interface FileTime {
  file: string;
  ms: number;
}

interface TestResult {
  fullName?: string;
  status?: string;
  failureMessages?: string[] | null;
}

interface FileResult {
  name?: string;
  status?: string;
  message?: string;
  assertionResults?: TestResult[];
}

/**
 * Counts one run from its JSON report. A file that could not be loaded counts as one failure, and so does a run that
 * failed (exit code) without any failed test, or that left no report.
 */
export function tallyOf(report: unknown, exitCode: number): Tally {
  const { numPassedTests, numFailedTests, testResults } = (report ?? {}) as Record<string, unknown>;
  const passed = typeof numPassedTests === 'number' ? numPassedTests : 0;
  const files: FileResult[] = Array.isArray(testResults) ? testResults : [];
  const broken = files.filter((file) => file.status === 'failed' && (file.assertionResults ?? []).length === 0).length;
  const failed = (typeof numFailedTests === 'number' ? numFailedTests : 0) + broken;
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

export function addTallies(tallies: readonly Tally[]): Tally {
  return tallies.reduce((sum, tally) => ({ passed: sum.passed + tally.passed, failed: sum.failed + tally.failed }), {
    passed: 0,
    failed: 0,
  });
}

/**
 * What a run has to say at its end, where nobody needs to search for it: each failed test and each file that could not
 * be loaded with what was said of it, then each test that passed only when it was tried again.
 */
export function troubleOf(report: unknown, root: string): string[] {
  const { testResults } = (report ?? {}) as { testResults?: FileResult[] };
  const failed: string[] = [];
  const repeated: string[] = [];
  for (const { name = '', status, message, assertionResults = [] } of testResults ?? []) {
    const file = name.startsWith(root) ? name.slice(root.length) : name;
    if (status === 'failed' && assertionResults.length === 0) failed.push(`FAILED ${file}\n${message ?? ''}`);
    for (const { fullName, status, failureMessages } of assertionResults) {
      const reasons = (failureMessages ?? []).join('\n');
      if (status === 'failed') failed.push(`FAILED ${file} > ${fullName}\n${reasons}`);
      else if (reasons !== '') repeated.push(`PASSED AT A LATER TRY ${file} > ${fullName}\n${reasons}`);
    }
  }
  return [...repeated, ...failed];
}

const SLOWEST = 15;

/** The files that took longest, a line each. */
export function slowestOf(times: readonly FileTime[]): string[] {
  return times
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST)
    .map(({ file, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}`);
}

/** Minutes and seconds, for a part of a run. */
export const minutesOf = (ms: number): string =>
  `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1_000) % 60).padStart(2, '0')} min`;
