import { MOST_TOLD_SINGLY } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import { localDay } from '@sonnenwarte/energy/calendar';
import { dueAt, freeAt, mostPerHour, parcelled, type Times } from './telling-times.ts';

/** An incident of before as a preview reads it. */
export interface PastIncident {
  readonly code: number;
  readonly level: number;
  readonly plantName: string;
  readonly sinceMs: number;
  /** `null` while it goes on. */
  readonly untilMs: number | null;
}

export interface ToldThen {
  readonly atMs: number;
  readonly incidents: readonly PastIncident[];
}

/** What a rule would have told one receiver by one channel, oldest first. What was over when its time came is not told. */
export function replay(incidents: readonly PastIncident[], times: Times, zone: string, nowMs: number): ToldThen[] {
  const due = incidents
    .map((incident) => ({ incident, atMs: dueAt(incident.sinceMs, incident.level, times, zone) }))
    .filter(({ incident, atMs }) => atMs <= nowMs && (incident.untilMs === null || incident.untilMs > atMs))
    .toSorted((a, b) => a.atMs - b.atMs);
  const told: ToldThen[] = [];
  const sent: number[] = [];
  let place = 0;
  while (place < due.length) {
    const firstMs = due[place]?.atMs ?? nowMs;
    const waits = due.slice(place).filter(({ atMs: at }) => at <= firstMs);
    const most = mostPerHour(waits.map(({ incident }) => incident.level));
    const atMs = freeAt(sent.slice(-most), firstMs, most);
    if (atMs > nowMs) break;
    const together: PastIncident[] = [];
    while (place < due.length && (due[place]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs) {
      const next = due[place]?.incident;
      if (next !== undefined && (next.untilMs === null || next.untilMs > atMs)) together.push(next);
      place += 1;
    }
    const room = most - sent.filter((ms) => ms > atMs - 3_600_000).length;
    const parcels =
      times.mode === 'daily' ? (together.length > 0 ? [together] : []) : parcelled(together, room, MOST_TOLD_SINGLY);
    for (const parcel of parcels) {
      told.push({ atMs, incidents: parcel });
      sent.push(atMs);
    }
  }
  return told;
}

/** Local days up to that of an instant, oldest first. */
export function daysUpTo(nowMs: number, days: number, zone: string): string[] {
  const today = Date.parse(localDay(nowMs, zone));
  return Array.from({ length: days }, (_, place) =>
    new Date(today - (days - 1 - place) * 86_400_000).toISOString().slice(0, 10),
  );
}

/** Days with what was told on each. */
export function byDay(told: readonly ToldThen[], days: readonly string[], zone: string) {
  const counts = new Map(days.map((day) => [day, { deliveries: 0, incidents: 0 }]));
  for (const { atMs, incidents } of told) {
    const of = counts.get(localDay(atMs, zone));
    if (of === undefined) continue;
    of.deliveries += 1;
    of.incidents += incidents.length;
  }
  return [...counts].map(([day, count]) => ({ day, ...count }));
}
