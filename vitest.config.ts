import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const long = ['**/*.long.test.{ts,tsx}', '**/*.long.e2e.ts'];
const sharedPortal = 'e2e/support/shared-portal.setup.ts';
const storeHouse = 'apps/server/src/testing/store-house/setup.ts';
const elsewhere = ['**/node_modules/**', '**/dist/**', '**/data/**'];

const longestFirst = [
  'screens-desktop',
  'screens-phone',
  'kill-and-start',
  'guard.e2e',
  'cut.e2e',
  'errors.e2e',
  'plant.e2e',
  'widgets.e2e',
  'odd-input',
  'counters.test',
  'access.test',
  'marks.test',
  'account-access',
  'calendar-change',
  'refusals.test',
  'fuzz',
  'telemetry-engine',
];

/** The longest files begin first, so that no worker waits long for the other. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longestFirst.findIndex((name) => moduleId.includes(`/${name}.`));
      return place === -1 ? longestFirst.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Lists of what is wrong stand whole in the message: it is all that a report keeps of a failure. */
const chaiConfig = { truncateThreshold: 2_000 };

export default defineConfig({
  test: {
    // One more than the smallest machine has processors: tests wait for processes, clocks and pages half of their time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          chaiConfig,
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/*/src/**/*.test.{ts,tsx}',
            'bench/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [...elsewhere, ...long],
          globalSetup: [storeHouse],
          setupFiles: ['scripts/property-seed.ts'],
          // As below, where nobody is there to look again; what passed at a later try is told at the end of the run.
          retry: process.env.CI === undefined ? 0 : 1,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          chaiConfig,
          include: ['e2e/**/*.e2e.ts'],
          exclude: [...elsewhere, ...long],
          globalSetup: [sharedPortal],
          // Real browsers, processes and clocks on a busy machine: what fails once more is broken.
          retry: 1,
          expect: { poll: { timeout: 20_000 } },
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'long',
          chaiConfig,
          include: long,
          exclude: elsewhere,
          globalSetup: [sharedPortal, storeHouse],
          fileParallelism: false,
          testTimeout: 1_800_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
