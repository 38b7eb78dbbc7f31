import type { SiteDay } from '@sonnenwarte/contract/sites/site';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { type ReactNode, useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../blocks/show/button.tsx';
import type { Scrub } from '../charts/chart-parts.ts';
import { type ReplayStore, useReplay } from './replay.ts';

/** A whole day runs by in this. */
const DAY_RUNS_MS = 20_000;
const DAY_MS = 86_400_000;

/** What the chart of a day makes of pointer and keys, for the picture that follows it. */
export function useDayReplay(replay: ReplayStore, day: SiteDay | undefined, isOfAnother: boolean): Scrub {
  const { index, day: shown } = useReplay(replay);
  const date = day?.date;
  useEffect(() => {
    if (shown !== null && shown.date !== date) replay.set({ day: null, index: null, how: 'pin' });
  }, [replay, shown, date]);
  useEffect(() => () => replay.set({ day: null, index: null, how: 'pin' }), [replay]);
  return useMemo(
    () => ({
      index: shown !== null && shown.date === date ? index : null,
      onChange: (next, how) => {
        if (how === 'elsewhere') {
          if (replay.get().how === 'pin') replay.set({ index: null });
          return;
        }
        if (day === undefined || isOfAnother) return;
        replay.set({ day, index: next, how });
      },
    }),
    [replay, day, isOfAnother, index, shown, date],
  );
}

/** The first and the last bucket of a span that something was measured in. */
function measuredSpan(day: SiteDay, span: { startMs: number; endMs: number }): [first: number, last: number] | null {
  const isMeasured = (index: number): boolean =>
    [day.pvW, day.loadW, day.gridW, day.externalW].some((series) => (series[index] ?? null) !== null);
  const within = day.tsMs.flatMap((tsMs, index) =>
    tsMs >= span.startMs && tsMs < span.endMs && isMeasured(index) ? [index] : [],
  );
  const [first] = within;
  const last = within.at(-1);
  return first === undefined || last === undefined ? null : [first, last];
}

interface PlayButtonProps {
  replay: ReplayStore;
  day: SiteDay;
  span: { startMs: number; endMs: number };
  isPlaying: boolean;
}

/** Runs through the day from its first value to its last, then back to now; it can be held. */
export function PlayButton({ replay, day, span, isPlaying }: PlayButtonProps): ReactNode {
  const { t } = useTranslation();
  useEffect(() => {
    if (!isPlaying) return;
    const ends = measuredSpan(day, span);
    const timer = setInterval(
      () => {
        const { index } = replay.get();
        if (ends === null || index === null || index >= ends[1]) replay.set({ index: null, how: 'pin' });
        else replay.set({ day, index: index + 1 });
      },
      (DAY_RUNS_MS * day.bucketMs) / DAY_MS,
    );
    return () => clearInterval(timer);
  }, [isPlaying, replay, day, span]);

  const start = (): void => {
    const ends = measuredSpan(day, span);
    if (ends === null) return;
    const { index, how } = replay.get();
    const from = how === 'pin' && index !== null && index < ends[1] ? index : ends[0];
    replay.set({ day, index: from, how: 'play' });
  };
  return (
    <IconButton
      data-scrubs
      aria-label={t(isPlaying ? 'charts.pause' : 'charts.play')}
      onClick={() => (isPlaying ? replay.set({ how: 'pin' }) : start())}
    >
      {isPlaying ? <IconPlayerPause size={18} aria-hidden="true" /> : <IconPlayerPlay size={18} aria-hidden="true" />}
    </IconButton>
  );
}
