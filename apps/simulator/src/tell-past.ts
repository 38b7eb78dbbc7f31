import type { EdgeNode } from './edge/edge-node.ts';
import { turn } from './edge/pause.ts';
import type { StoredSample } from './edge/sample-store.ts';
import type { HistorySender } from './history-sender.ts';
import type { PastSpan, PlantPast } from './plant-past.ts';

const DAY_MS = 86_400_000;

export interface TellOptions {
  sender: HistorySender;
  signal: AbortSignal;
  /** Told of each day that was acknowledged, from 0 to 1. */
  onProgress(progress: number): void;
}

/**
 * Tells what plants did long ago, the newest two weeks first. Within them all plants tell the same day at the same time, oldest
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
  let spans = await nextSpans(pasts);
  onProgress(0);
  while (spans.size > 0 && !signal.aborted) {
    const together = [...spans.values()];
    const lastMs = Math.max(...together.map(({ untilMs }) => untilMs));
    for (let dayMs = Math.min(...together.map(({ fromMs }) => fromMs)); dayMs < lastMs; dayMs += DAY_MS) {
      const sent = await sendDay(together, dayMs, sender);
      if (signal.aborted) return;
      told = Promise.all([told, ...sent]).then(() => {
        toldMs = Math.min(allMs, toldMs + DAY_MS);
        if (!signal.aborted && toldMs < allMs) onProgress(toldMs / allMs);
      });
    }
    const next = await nextSpans(pasts);
    await told;
    if (signal.aborted) return;
    for (const [past, span] of spans) past.told(span);
    spans = next;
  }
  if (!signal.aborted) onProgress(1);
}

async function nextSpans(pasts: readonly PlantPast[]): Promise<Map<PlantPast, PastSpan>> {
  const spans = new Map<PlantPast, PastSpan>();
  for (const past of pasts) {
    const days = past.span();
    let day = days.next();
    for (; day.done !== true; day = days.next()) await turn();
    if (day.value !== undefined) spans.set(past, day.value);
  }
  return spans;
}

async function sendDay(spans: readonly PastSpan[], dayMs: number, sender: HistorySender): Promise<Promise<void>[]> {
  const sent: Promise<void>[] = [];
  const isOfDay = ({ tsMs }: StoredSample): boolean => tsMs > dayMs && tsMs <= dayMs + DAY_MS;
  const edges: [EdgeNode, readonly StoredSample[]][] = spans.flatMap(({ samples }) => [...samples]);
  await Promise.all(edges.map(([edge, samples]) => sender.send(edge, samples.filter(isOfDay), sent)));
  await turn();
  return sent;
}
