import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterEvent,
  isOver,
  type ReportEvent,
  type ReportProgress,
  reportEvents,
  reportStates,
} from './report-moves.ts';

type Act =
  | { readonly kind: 'begin' | 'cancel' | 'retry' }
  /** Whoever has begun the n-th time tells how it went, once or again, however late. */
  | { readonly kind: 'tell'; readonly event: 'putBack' | 'complete' | 'fail'; readonly run: number };

const acts: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constantFrom('begin' as const, 'cancel' as const, 'retry' as const) }),
  fc.record({
    kind: fc.constant('tell' as const),
    event: fc.constantFrom('putBack' as const, 'complete' as const, 'fail' as const),
    run: fc.integer({ min: 1, max: 6 }),
  }),
);

const queued: ReportProgress = { state: 'queued', run: 0 };
const after = (report: ReportProgress, act: Act): ReportProgress | undefined =>
  act.kind === 'tell' ? afterEvent(report, act.event, act.run) : afterEvent(report, act.kind, undefined);

describe('a report', () => {
  test('is completed at most once, and only by the run that began last', () => {
    fc.assert(
      fc.property(fc.array(acts, { maxLength: 40 }), (all) => {
        let report = queued;
        let completions = 0;
        for (const act of all) {
          const next = after(report, act);
          if (next === undefined) continue;
          if (next.state === 'completed') {
            completions += 1;
            expect(act).toEqual({ kind: 'tell', event: 'complete', run: report.run });
            expect(report.state).toBe('processing');
          }
          report = next;
        }
        expect(completions).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('whatever has happened to it, is over once somebody begins who is not stopped; what is told twice or too late changes nothing', () => {
    fc.assert(
      fc.property(fc.array(acts, { maxLength: 40 }), (all) => {
        let report = all.reduce((each, act) => after(each, act) ?? each, queued);
        if (!isOver(report.state)) {
          const begun = afterEvent(report, 'begin', undefined);
          expect(begun).toEqual({ state: 'processing', run: report.run + 1 });
          report = begun ?? report;
          expect(afterEvent(report, 'complete', report.run - 1)).toBeUndefined();
          report = afterEvent(report, 'complete', report.run) ?? report;
        }
        expect(isOver(report.state)).toBe(true);
        for (const event of ['putBack', 'complete', 'fail', 'cancel', 'begin'] satisfies ReportEvent[])
          expect(afterEvent(report, event, report.run)).toBeUndefined();
      }),
    );
  });

  test('never has a run twice, so that each run has a file of its own', () => {
    fc.assert(
      fc.property(fc.array(acts, { maxLength: 40 }), (all) => {
        let report = queued;
        const begun: number[] = [];
        for (const act of all) {
          const next = after(report, act);
          if (next === undefined) continue;
          if (act.kind === 'begin') begun.push(next.run);
          report = next;
        }
        expect(begun).toEqual(begun.map((_, place) => place + 1));
      }),
    );
  });

  test('that is completed stays so', () => {
    for (const event of reportEvents)
      for (const run of [0, 1]) expect(afterEvent({ state: 'completed', run }, event, run)).toBeUndefined();
    expect(reportStates.filter(isOver)).toEqual(['completed', 'failed', 'cancelled']);
  });
});
