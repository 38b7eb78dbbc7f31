import type { WorkMode } from '@sonnenwarte/contract/work-modes/work-modes';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import styles from './plan-chart.module.css';
import { clockOf } from './plan-edit.ts';

const QUARTER_MS = 900_000;
const HEIGHT = 74;
const FLAT_HEIGHT = 24;

type Prices = WorkMode['prices'];

/** Whether a price is known, and it is the same whenever it is. */
export const isFlat = (prices: Prices): boolean =>
  new Set(prices.flatMap(({ purchase }) => (purchase === null ? [] : [Number(purchase)]))).size === 1;

/** How high the lane of prices is: a price that is always the same is a line, and needs no more. */
export const priceHeight = (prices: Prices): number => (isFlat(prices) ? FLAT_HEIGHT : HEIGHT);

/** The spans of a day in which the price of purchase is not known. */
function unknownSpans(prices: Prices): { startMs: number; endMs: number }[] {
  const spans: { startMs: number; endMs: number }[] = [];
  for (const { tsMs, purchase } of prices) {
    const last = spans.at(-1);
    if (purchase !== null) continue;
    if (last?.endMs === tsMs) last.endMs += QUARTER_MS;
    else spans.push({ startMs: tsMs, endMs: tsMs + QUARTER_MS });
  }
  return spans;
}

interface PriceLaneProps {
  view: WorkMode;
  topPx: number;
  width: number;
  xOf: (tsMs: number) => number;
}

/** Price of purchase by quarter of an hour: the dearer the higher and darker. */
export function PriceLane({ view, topPx, width, xOf }: PriceLaneProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const known = view.prices.flatMap(({ tsMs, purchase }) =>
    purchase === null ? [] : [{ tsMs, text: purchase, price: Number(purchase) }],
  );
  const [first] = known;
  if (first === undefined)
    return (
      <text className={styles.caption} x={0} y={topPx}>
        {t('work-modes.noPrices')}
      </text>
    );
  const height = priceHeight(view.prices);
  if (isFlat(view.prices)) {
    const y = topPx + height / 2;
    return (
      <>
        <text className={styles.caption} x={0} y={topPx - 8}>
          {t('work-modes.priceFlat', { price: format.unitPrice(first.text, view.currency) })}
        </text>
        <path
          className={styles.flatPrice}
          d={known.map(({ tsMs }) => `M${xOf(tsMs).toFixed(1)} ${y}H${xOf(tsMs + QUARTER_MS).toFixed(1)}`).join('')}
        />
      </>
    );
  }
  const values = known.map(({ price }) => price);
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const range = most - least || 1;
  const yOf = (price: number): number => topPx + height - (height * (price - least)) / range;
  const [cheapest, dearest] = [Math.min(...values), Math.max(...values)];
  const share = (price: number): number => (price - cheapest) / (dearest - cheapest);
  const slot = xOf(view.today.startMs + QUARTER_MS);
  return (
    <>
      <text className={styles.caption} x={0} y={topPx - 8}>
        {t('work-modes.price', {
          least: format.unitPrice(String(cheapest), view.currency),
          most: format.unitPrice(String(dearest), view.currency),
        })}
      </text>
      {known.map(({ tsMs, price, text }) => (
        <rect
          key={tsMs}
          className={styles.price}
          x={xOf(tsMs)}
          width={Math.max(0.5, slot - 0.6)}
          y={Math.min(yOf(price), yOf(0))}
          height={Math.max(1, Math.abs(yOf(0) - yOf(price)))}
          style={{ opacity: 0.35 + 0.65 * share(price) }}
        >
          <title>{`${format.time(tsMs, view.ianaTimezone)} ${format.unitPrice(text, view.currency)}`}</title>
        </rect>
      ))}
      <line className={styles.rule} x1={0} x2={width} y1={yOf(0)} y2={yOf(0)} />
    </>
  );
}

/** When tomorrow is cheapest and dearest, as soon as that is known. */
export function Tomorrow({ view }: { view: WorkMode }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  if (view.tomorrow === null) return null;
  const { cheapest, dearest } = view.tomorrow;
  return (
    <p className={styles.gaps}>
      {t('work-modes.tomorrow', {
        cheapAt: clockOf(cheapest.startMin),
        cheapest: format.unitPrice(cheapest.price, view.currency),
        dearAt: clockOf(dearest.startMin),
        dearest: format.unitPrice(dearest.price, view.currency),
      })}
    </p>
  );
}

/** When the price of purchase is not known, where it is known at other times of the day. */
export function PriceGaps({ view }: { view: WorkMode }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const spans = unknownSpans(view.prices);
  if (spans.length === 0 || view.prices.every(({ purchase }) => purchase === null)) return null;
  const shown = spans.map(({ startMs, endMs }) =>
    [startMs, endMs].map((tsMs) => format.time(tsMs, view.ianaTimezone)).join('–'),
  );
  return <p className={styles.gaps}>{t('work-modes.priceGaps', { spans: shown.join(', ') })}</p>;
}
