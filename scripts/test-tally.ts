export interface Tally {
  passed: number;
  failed: number;
}

interface FileResult {
  status?: string;
  assertionResults?: unknown[];
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
