import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import styles from './price-band.module.css';
import {
  DAY_MINUTES,
  type DayPriceValues,
  dearness,
  type PeriodValues,
  STEP_MINUTES,
  spanOf,
  timeAt,
} from './price-periods.ts';

interface PriceBandProps {
  label: string;
  periods: readonly PeriodValues[];
  /** Of all days: what is dear stands out among these. */
  prices: DayPriceValues;
  currency: string;
  chosen: number;
  onChoose: (at: number) => void;
  /** A period is to begin at another minute of the day. */
  onMove: (at: number, minute: number) => void;
}

const HOURS = [0, 6, 12, 18, 24];
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -STEP_MINUTES,
  ArrowDown: -STEP_MINUTES,
  ArrowRight: STEP_MINUTES,
  ArrowUp: STEP_MINUTES,
  PageDown: -60,
  PageUp: 60,
};

const share = (minutes: number): string => `${(minutes / DAY_MINUTES) * 100}%`;

/** The day as a band: a period is the taller and darker, the dearer it is. Edges are drawn, or moved with the arrow keys. */
export function PriceBand(props: PriceBandProps): ReactNode {
  const { label, periods, prices, currency, chosen, onChoose, onMove } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const band = useRef<HTMLDivElement>(null);
  const minuteAt = (clientX: number): number => {
    const box = band.current?.getBoundingClientRect();
    return box && box.width > 0 ? ((clientX - box.left) / box.width) * DAY_MINUTES : Number.NaN;
  };
  const edges = periods.slice(1).map((_, index) => index + 1);
  const dragOf = (at: number) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) onMove(at, minuteAt(event.clientX));
    },
  });
  const keysOf = (at: number, minute: number) => (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onMove(at, minute + by);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a band
    <div className={styles.frame} role="group" aria-label={label}>
      <div ref={band} className={styles.band}>
        {periods.map(({ price }, at) => {
          const { start, end } = spanOf(periods, at);
          const text = format.unitPrice(price === '' ? null : String(price), currency);
          const look = { left: share(start), width: share(end - start), '--dear': dearness(prices, price) };
          return (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: a period is its place in the day
              key={at}
              type="button"
              className={styles.period}
              style={look as CSSProperties}
              aria-pressed={at === chosen}
              aria-label={`${timeAt(start)}–${timeAt(end)}: ${text}`}
              onClick={() => onChoose(at)}
            >
              <span className={styles.price}>{text}</span>
            </button>
          );
        })}
        {edges.map((at) => {
          const minute = spanOf(periods, at).start;
          return (
            <div
              key={at}
              {...dragOf(at)}
              className={styles.edge}
              style={{ left: share(minute) }}
              role="slider"
              tabIndex={0}
              data-of={at === chosen || at === chosen + 1 || undefined}
              aria-label={t('site-form.price.edge', { number: format.number(at) })}
              aria-valuemin={spanOf(periods, at - 1).start + STEP_MINUTES}
              aria-valuemax={spanOf(periods, at).end - STEP_MINUTES}
              aria-valuenow={minute}
              aria-valuetext={timeAt(minute)}
              onKeyDown={keysOf(at, minute)}
            />
          );
        })}
      </div>
      <div className={styles.hours} aria-hidden="true">
        {HOURS.map((hour) => (
          <span key={hour} style={{ left: share(hour * 60) }}>
            {hour}:00
          </span>
        ))}
      </div>
    </div>
  );
}
