import type { Plugin } from 'vite';

const CONTRACT = /[\\/]packages[\\/]contract[\\/]src[\\/]/;
const SUMMARY = /(\bsummary:\s*)'(?:[^'\\\n]|\\.)*'/g;

/** The same file without the sentences that describe its calls. */
export const withoutSummariesIn = (code: string): string => code.replace(SUMMARY, "$1''");

/** Leaves out what only the description of the API says of a call: no screen shows it, and every first page would load it. */
export const withoutSummaries = (): Plugin => ({
  name: 'without-summaries',
  enforce: 'pre',
  apply: 'build',
  transform: (code, id) => (CONTRACT.test(id) ? { code: withoutSummariesIn(code), map: null } : undefined),
});
