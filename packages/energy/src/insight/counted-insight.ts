import type { BelievedPv } from './counted-power.ts';
import type { DayInsight } from './day-insight.ts';
import { BUCKET_HOURS, BUCKET_MS, type PlantDay } from './plant-day.ts';
import type { Reason, Span } from './reasons.ts';

/**
 * What was found of a day, with what its counters say: their energy is what was given, where they tell all of it (else it is of power, and
 * `missing` says so); power that contradicts them is a wrong measurement.
 *
 * @param found of a day with believed powers.
 */
export function countedInsight(found: DayInsight, day: PlantDay, believed: BelievedPv): DayInsight {
  const { countedWh, countedShare, contradiction } = believed;
  const reasons = found.reasons.flatMap((reason) => withoutLeftOut(reason, believed, day));
  if (contradiction !== null) reasons.push(wrongPower(day, believed, contradiction));
  if (countedWh === null)
    return { ...found, reasons, missing: found.actualWh === null ? found.missing : [...found.missing, 'counters'] };
  const kwp = day.expected?.kwp ?? day.kwp;
  return {
    ...found,
    actualWh: countedWh,
    performanceRatio: found.performanceRatio === null ? null : found.performanceRatio * countedShare,
    specificYield: kwp === null || found.specificYield === null ? found.specificYield : countedWh / 1_000 / kwp,
    reasons,
  };
}

function wrongPower(day: PlantDay, { leftOut }: BelievedPv, counted: { toldWh: number; countedWh: number }): Reason {
  const spans: Span[] = [];
  let buckets = 0;
  leftOut.forEach((isOut, at) => {
    if (isOut === 0) return;
    buckets += 1;
    const fromMs = day.startMs + at * BUCKET_MS;
    const last = spans.at(-1);
    if (last?.untilMs === fromMs) last.untilMs = fromMs + BUCKET_MS;
    else spans.push({ fromMs, untilMs: fromMs + BUCKET_MS });
  });
  const evidence = { hours: buckets * BUCKET_HOURS, alarm: null, counted };
  return { kind: 'meter-wrong', lossWh: 0, spans, confidence: 0.9, evidence };
}

/** What was told and not believed is no silence. */
function withoutLeftOut(reason: Reason, { leftOut }: BelievedPv, day: PlantDay): Reason[] {
  if (reason.kind !== 'offline') return [reason];
  const isSilent = ({ fromMs, untilMs }: Span): boolean => {
    for (let at = (fromMs - day.startMs) / BUCKET_MS; at < (untilMs - day.startMs) / BUCKET_MS; at += 1)
      if (leftOut[at] === 0) return true;
    return false;
  };
  const spans = reason.spans.filter(isSilent);
  return spans.length === 0 ? [] : [{ ...reason, spans }];
}
