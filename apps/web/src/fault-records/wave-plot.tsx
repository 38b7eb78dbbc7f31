import type { RecordContent } from '@sonnenwarte/contract/fault-records/fault-record';
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  use,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import type uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { Button } from '../blocks/show/button.tsx';
import { resolveColour, useThemeVersion } from '../charts/chart-colours.ts';
import { fetchPlot } from '../charts/chart-parts.ts';
import { usePointTexts } from '../devices/point-text.ts';
import { joinQuantity } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './records.module.css';
import { drawLane } from './wave-drawing.ts';
import { isNoughtThroughout, lanesOf, placeAt, timesOf, valueAt } from './wave-lanes.ts';

fetchPlot();

const LANE_PX = 132;
const FAR = 20;
/** Phases of a lane; a single curve has the first. */
const colours = ['var(--grid)', 'var(--pv)', 'var(--load)', 'var(--battery)'] as const;

interface WavePlotProps {
  name: string;
  content: RecordContent;
  /** Laid over it, aligned where both faults begin, on the same scales. */
  compared?: { content: RecordContent; name: string };
}

/** The waveforms of a record over one axis of milliseconds, with a line where the fault begins and a cursor through all of them. */
export function WavePlot({ name, content, compared }: WavePlotProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const texts = usePointTexts();
  const { default: Plot } = use(fetchPlot());
  const theme = useThemeVersion();
  const hosts = useRef(new Map<string, HTMLDivElement>());
  const plots = useRef<uPlot[]>([]);
  const [cursorMs, setCursorMs] = useState(0);
  const lanes = useMemo(() => lanesOf(content), [content]);
  const times = useMemo(() => timesOf(content), [content]);
  const whole = useMemo(() => ({ from: times[0] ?? 0, to: times.at(-1) ?? 1 }), [times]);
  const [part, setPart] = useState(whole);
  const shownPart = useRef(part);
  shownPart.current = part;
  const other = compared?.content;
  const drawn = useMemo(
    () => lanes.filter((lane) => !isNoughtThroughout(lane, other ? [content, other] : [content])),
    [lanes, content, other],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the theme changes the colours
  useEffect(() => {
    const made = drawn.flatMap((lane, place) => {
      const host = hosts.current.get(lane.key);
      if (host === undefined) return [];
      return drawLane(Plot, host, {
        lane,
        content,
        other,
        heightPx: LANE_PX + (place === drawn.length - 1 ? 26 : 0),
        hasAxis: place === drawn.length - 1,
        colours: colours.map((colour) => resolveColour(colour, host)),
        paler: colours.map((colour) => resolveColour(`color-mix(in srgb, ${colour} 60%, transparent)`, host)),
        look: {
          line: resolveColour('var(--line)', host),
          muted: resolveColour('var(--muted)', host),
          fault: resolveColour('var(--bad)', host),
          font: `11px ${getComputedStyle(host).fontFamily}`,
        },
        part: () => shownPart.current,
        number: (value, decimals) => format.number(value, decimals),
        onCursor: setCursorMs,
        onPart: setPart,
      });
    });
    plots.current = made;
    const [first] = hosts.current.values();
    const observer = new ResizeObserver(([entry]) => {
      const width = Math.round(entry?.contentRect.width ?? 0);
      if (width > 0) for (const plot of made) if (plot.width !== width) plot.setSize({ width, height: plot.height });
    });
    if (first) observer.observe(first);
    return () => {
      observer.disconnect();
      for (const plot of made) plot.destroy();
      plots.current = [];
    };
  }, [Plot, content, other, drawn, format, theme]);

  useEffect(() => {
    for (const plot of plots.current) plot.setScale('x', { min: part.from, max: part.to });
  }, [part]);

  const moveTo = (ms: number) => {
    for (const plot of plots.current) plot.setCursor({ left: plot.valToPos(ms, 'x'), top: 10 });
    setCursorMs(ms);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -times.length, End: times.length }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    const place = placeAt(content, cursorMs) + steps * (event.shiftKey ? FAR : 1);
    moveTo(times[Math.max(0, Math.min(times.length - 1, place))] ?? 0);
  };

  const told = (of: RecordContent, variable: string, unit: string): string => {
    const value = valueAt(of, variable, cursorMs);
    return value === undefined ? '–' : joinQuantity(texts.value(value, unit));
  };
  const ms = (value: number) => format.number(value, 1);
  const isPart = part.from !== whole.from || part.to !== whole.to;
  const spoken = t('fault-records.record.cursor', { ms: ms(cursorMs) });
  return (
    <div className={styles.plot}>
      <div className={styles.plotHead}>
        <h3>{t('fault-records.record.waves')}</h3>
        <span className={styles.moment}>{spoken}</span>
        <span className={styles.fault}>{t('fault-records.record.begin')}</span>
        {compared && <span className={styles.paler}>{compared.name}</span>}
        {isPart ? (
          <Button small onClick={() => setPart(whole)}>
            {t('fault-records.record.whole')}
          </Button>
        ) : (
          <span className={styles.hint}>{t('fault-records.record.zoom')}</span>
        )}
      </div>
      <div
        className={styles.lanes}
        role="slider"
        tabIndex={0}
        aria-label={t('fault-records.record.summary', { name, before: ms(-whole.from), after: ms(whole.to) })}
        aria-valuemin={Math.round(whole.from)}
        aria-valuemax={Math.round(whole.to)}
        aria-valuenow={Math.round(cursorMs)}
        aria-valuetext={`${spoken}: ${content.waves
          .map(({ variable, unit }) => `${texts.label(variable)} ${told(content, variable, unit)}`)
          .join(', ')}`}
        onKeyDown={onKeyDown}
      >
        {lanes.map((lane) => (
          <div key={lane.key} className={styles.lane}>
            <dl>
              {lane.waves.map(({ variable, unit }, place) => (
                <div
                  key={variable}
                  data-place={place % colours.length}
                  style={{ '--wave': colours[place % colours.length] } as CSSProperties}
                >
                  <dt>{texts.label(variable)}</dt>
                  <dd>
                    {told(content, variable, unit)}
                    {other && <small>{told(other, variable, unit)}</small>}
                  </dd>
                </div>
              ))}
            </dl>
            {drawn.includes(lane) ? (
              <div
                ref={(element) => {
                  if (element) hosts.current.set(lane.key, element);
                  else hosts.current.delete(lane.key);
                }}
                aria-hidden="true"
              />
            ) : (
              <p className={styles.still}>
                {t('fault-records.record.nought', { value: joinQuantity(texts.value(0, lane.unit)) })}
              </p>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
