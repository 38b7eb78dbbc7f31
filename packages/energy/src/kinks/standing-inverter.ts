import { meanOf, median } from './curve.ts';
import type { Kink } from './find-kinks.ts';
import type { KinkCause, KinkEvidence } from './kink-evidence.ts';

/** Buckets before a kink of which each inverter's own power is taken. */
const LOOKED_AT = 3;
/** It stands with no more of its power than this, while the others kept at least that of theirs. */
const STANDS_SHARE = 0.05;
const KEPT_SHARE = 0.2;
/** Half an hour of it: a cloud does that to nobody alone. */
const LEAST_BUCKETS = 6;

/** An inverter that stood while others ran on, at any time within a kink: it may have begun with a cloud. */
export function standingInverter(kink: Kink, { startMs, bucketMs, inverters }: KinkEvidence): KinkCause[] {
  const [first, last] = [kink.fromMs, kink.toMs].map((tsMs) => Math.floor((tsMs - startMs) / bucketMs)) as [
    number,
    number,
  ];
  const running = inverters.flatMap(({ device, pvW }) => {
    const beforeW = meanOf(pvW, first - LOOKED_AT, first);
    return beforeW === null || beforeW <= 0 ? [] : [{ device, shareAt: (at: number) => shareOf(pvW[at], beforeW) }];
  });
  if (running.length < 2) return [];
  const found = running.map(({ device, shareAt }) => {
    const others = running.filter((each) => each.device !== device);
    const kept: { own: number; others: number }[] = [];
    for (let at = first; at < last; at += 1) {
      const own = shareAt(at);
      const middle = median(others.map((each) => each.shareAt(at)).filter((share) => !Number.isNaN(share)));
      if (own <= STANDS_SHARE && middle >= KEPT_SHARE) kept.push({ own, others: middle });
    }
    return { device, kept };
  });
  const [worst] = found.toSorted((a, b) => b.kept.length - a.kept.length);
  if (worst === undefined || worst.kept.length < LEAST_BUCKETS) return [];
  const percentOf = (of: 'own' | 'others'): number =>
    Math.round(median(worst.kept.map((each) => each[of])) * 1_000) / 10;
  return [
    {
      kind: 'inverter',
      evidence: {
        device: worst.device,
        percent: percentOf('own'),
        others: running.length - 1,
        othersPercent: percentOf('others'),
      },
      confidence: 0.88,
    },
  ];
}

const shareOf = (watts: number | null | undefined, beforeW: number): number =>
  watts === null || watts === undefined ? Number.NaN : watts / beforeW;
