import { dayInsight } from '@sonnenwarte/energy/insight/day-insight';
import { type PlantProfile, updatedProfile } from '@sonnenwarte/energy/insight/profile';
import { byDesign } from '@sonnenwarte/energy/insight/reasons';
import { FaultBoard } from '../faults.ts';
import { readFleet } from '../fleet.ts';
import { judged, plantAt, recordDay } from './recorded-days.ts';
import { demoFleetPath } from './sample-plant.ts';

const HOUR_MS = 3_600_000;

/**
 * What is said over some days of the plants of the demonstration, as if none of them had a fault: without neighbours, since they stand far apart. Left out is what
 * they are built for, and what their devices tell by alarms.
 */
export function reasonsOfDemo(firstMs: number, days: number): string[] {
  return readFleet(demoFleetPath).plants.flatMap((described) => {
    const faults = new FaultBoard();
    const startMs = firstMs - Math.round(described.longitude / 15) * HOUR_MS;
    const plant = plantAt({ ...described, faults: [] }, startMs, faults);
    let profile: PlantProfile | null = null;
    const said: string[] = [];
    for (let day = 0; day < days; day += 1) {
      const insight = dayInsight(judged(described, recordDay(plant, faults), null, profile));
      profile = updatedProfile(profile, insight.observation);
      for (const { kind } of insight.reasons) {
        if (!byDesign.has(kind) && kind !== 'alarm') said.push(`${described.key}, day ${day}: ${kind}`);
      }
    }
    return said;
  });
}
