import type { Reason } from '@sonnenwarte/energy/insight/reasons';

/** An incident as far as it may have cost energy. */
export interface Costing {
  readonly id: string;
  readonly code: number;
  readonly level: number;
  /** Serial number of its device; null of the plant or its datalogger. */
  readonly device: string | null;
  readonly sinceMs: number;
  /** null while it goes on. */
  readonly untilMs: number | null;
}

/** What a day of a plant lost, and why. */
export interface LostDay {
  readonly reasons: readonly Reason[];
  readonly lossWh: number | null;
  readonly unexplainedWh: number | null;
  readonly money: string | null;
}

export const BELOW_NEIGHBOURS = 7001;
const STRING_CODES: ReadonlySet<number> = new Set([2006, 2007, 2008]);
/** Reasons that a plant below its neighbours has. */
const OF_PLANT: ReadonlySet<Reason['kind']> = new Set(['shade', 'soiling', 'snow']);

/** The incidents on which a reason rests; of a standstill that tells no alarm the gravest at its device. */
function blamed(reason: Reason, incidents: readonly Costing[]): readonly Costing[] {
  const at = (device: string) => incidents.filter((each) => each.device === device);
  switch (reason.kind) {
    case 'alarm':
      return at(reason.evidence.device).filter(({ code }) => code === reason.evidence.code);
    case 'string-weak': {
      const strings = at(reason.evidence.device).filter(({ code }) => STRING_CODES.has(code));
      const told = strings.filter(({ code }) => code === reason.evidence.alarm);
      return told.length > 0 ? told : strings;
    }
    case 'standstill': {
      const there = at(reason.evidence.device);
      const worst = Math.max(...there.map(({ level }) => level));
      return worst < 3 ? [] : there.filter(({ level }) => level === worst).slice(0, 1);
    }
    default:
      return OF_PLANT.has(reason.kind) ? incidents.filter(({ code }) => code === BELOW_NEIGHBOURS) : [];
  }
}

const overlaps = ({ sinceMs, untilMs }: Costing, spans: Reason['spans']): boolean =>
  spans.length === 0 || spans.some((span) => sinceMs < span.untilMs && (untilMs ?? Infinity) > span.fromMs);

/**
 * What a day's loss is to be put down to, Wh and money by incident: each reason's to the incidents on which it rests, in equal parts where these are several. What nothing
 * explains is that of a plant below its neighbours. Money is the part of the day's that the energy is of it; null where that is not known.
 */
export function lossesOf(
  day: LostDay,
  incidents: readonly Costing[],
): Map<string, { wh: number; money: string | null }> {
  const byIncident = new Map<string, number>();
  const put = (to: readonly Costing[], wh: number): void => {
    for (const { id } of to) byIncident.set(id, (byIncident.get(id) ?? 0) + wh / to.length);
  };
  for (const reason of day.reasons) {
    if (reason.lossWh === null) continue;
    const meant = blamed(reason, incidents);
    const then = meant.filter((incident) => overlaps(incident, reason.spans));
    put(then.length > 0 ? then : meant, reason.lossWh);
  }
  if (day.unexplainedWh !== null) {
    put(
      incidents.filter(({ code }) => code === BELOW_NEIGHBOURS),
      day.unexplainedWh,
    );
  }
  const { lossWh, money } = day;
  return new Map(
    [...byIncident].map(([id, wh]) => {
      const share = lossWh !== null && lossWh > 0 ? Math.min(1, wh / lossWh) : 0;
      // What took nothing cost nothing, whatever the price.
      if (wh === 0) return [id, { wh, money: '0' }];
      return [id, { wh, money: money === null ? null : (Number(money) * share).toFixed(6) }];
    }),
  );
}
