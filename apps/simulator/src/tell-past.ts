import type { EdgeNode } from './edge/edge-node.ts';
import { turn } from './edge/pause.ts';
import type { StoredSample } from './edge/sample-store.ts';
import type { HistorySender } from './history-sender.ts';
import type { PastMonth, PlantPast } from './plant-past.ts';

const DAY_MS = 86_400_000;

export interface TellOptions {
  sender: HistorySender;
  signal: AbortSignal;
  /** Told of each day that was acknowledged, from 0 to 1. */
  onProgress(progress: number): void;
}

/**
 * Tells what plants did long ago, the newest month first. Within a month all plants tell the same day at the same time, oldest
 * first: who stores them has each day together.
 */
export async function tellPast(
  pasts: readonly PlantPast[],
  { sender, signal, onProgress }: TellOptions,
): Promise<void> {
  const allMs = Math.max(...pasts.map(({ leftMs }) => leftMs));
  if (allMs === 0) return;
  let toldMs = 0;
  let told = Promise.resolve();
  let months = await nextMonths(pasts);
  onProgress(0);
  while (months.size > 0 && !signal.aborted) {
    const spans = [...months.values()];
    const lastMs = Math.max(...spans.map(({ untilMs }) => untilMs));
    for (let dayMs = Math.min(...spans.map(({ fromMs }) => fromMs)); dayMs < lastMs; dayMs += DAY_MS) {
      const sent = await sendDay(spans, dayMs, sender);
      if (signal.aborted) return;
      told = Promise.all([told, ...sent]).then(() => {
        toldMs = Math.min(allMs, toldMs + DAY_MS);
        if (!signal.aborted && toldMs < allMs) onProgress(toldMs / allMs);
      });
    }
    const next = await nextMonths(pasts);
    await told;
    if (signal.aborted) return;
    for (const [past, month] of months) past.told(month);
    months = next;
  }
  if (!signal.aborted) onProgress(1);
}

async function nextMonths(pasts: readonly PlantPast[]): Promise<Map<PlantPast, PastMonth>> {
  const months = new Map<PlantPast, PastMonth>();
  for (const past of pasts) {
    const days = past.month();
    let day = days.next();
    for (; day.done !== true; day = days.next()) await turn();
    if (day.value !== undefined) months.set(past, day.value);
  }
  return months;
}

async function sendDay(months: readonly PastMonth[], dayMs: number, sender: HistorySender): Promise<Promise<void>[]> {
  const sent: Promise<void>[] = [];
  const isOfDay = ({ tsMs }: StoredSample): boolean => tsMs > dayMs && tsMs <= dayMs + DAY_MS;
  const edges: [EdgeNode, readonly StoredSample[]][] = months.flatMap(({ samples }) => [...samples]);
  await Promise.all(edges.map(([edge, samples]) => sender.send(edge, samples.filter(isOfDay), sent)));
  await turn();
  return sent;
}
