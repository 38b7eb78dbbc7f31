import { defineConfig } from 'vitest/config';

const long = '**/*.long.test.{ts,tsx}';
const elsewhere = ['**/node_modules/**', '**/dist/**', '**/data/**'];

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          exclude: [...elsewhere, long],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          retry: 1,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts'],
          exclude: elsewhere,
          globalSetup: ['e2e/support/shared-portal.setup.ts'],
          // Real browsers, processes and clocks on a busy machine: what fails twice more is broken.
          retry: 2,
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'long',
          include: [long],
          exclude: elsewhere,
          fileParallelism: false,
          testTimeout: 1_800_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
