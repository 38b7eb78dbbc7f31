import type { DayInsight } from './day-insight.ts';
import { BUCKET_HOURS, BUCKET_MS, type PlantDay } from './plant-day.ts';
import { SOLAR_HOURS } from './profile.ts';
import type { Reason } from './reasons.ts';
import { isTellingAlarm } from './standing-rules.ts';

/** A day of a plant whose place or size is not known: what was given, and the alarms that stood. */
export function blindDay(day: PlantDay): DayInsight {
  const known = day.pvW.filter((powerW) => !Number.isNaN(powerW));
  const actualWh = known.length === 0 ? null : known.reduce((sum, powerW) => sum + powerW, 0) * BUCKET_HOURS;
  const completeness = day.pvW.length === 0 ? 0 : known.length / day.pvW.length;
  const specificYield =
    completeness >= 0.95 && actualWh !== null && day.kwp !== null ? actualWh / 1000 / day.kwp : null;
  return {
    dayMs: day.startMs,
    source: null,
    peers: 0,
    basis: null,
    clearSkyWh: null,
    expectedWh: null,
    potentialWh: null,
    actualWh,
    lossWh: null,
    unexplainedWh: null,
    unknownWh: null,
    lossReplacingImportWh: null,
    performanceRatio: null,
    specificYield,
    availability: null,
    completeness,
    reasons: alarmsOf(day),
    ruledOut: [],
    missing: [day.kwp === null ? 'size' : 'place', ...(known.length === 0 ? (['power'] as const) : [])],
    observation: {
      dayMs: day.startMs,
      ratio: null,
      lightShare: null,
      hourRatios: new Array<null>(SOLAR_HOURS).fill(null),
      isSnow: false,
      stringParts: {},
    },
  };
}

function alarmsOf(day: PlantDay): Reason[] {
  const endMs = day.startMs + day.pvW.length * BUCKET_MS;
  return day.alarms.filter(isTellingAlarm).flatMap(({ code, level, device, ...span }) => {
    const fromMs = Math.max(day.startMs, span.fromMs);
    const untilMs = Math.min(endMs, span.untilMs ?? endMs);
    if (untilMs <= fromMs) return [];
    const hours = (untilMs - fromMs) / 3_600_000;
    const evidence = { code, level, device, hours };
    return [{ kind: 'alarm' as const, lossWh: null, spans: [{ fromMs, untilMs }], confidence: 0.95, evidence }];
  });
}
