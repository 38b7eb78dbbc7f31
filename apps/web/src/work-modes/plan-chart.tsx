import type { WorkMode } from '@sonnenwarte/contract/work-modes/work-modes';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import styles from './plan-chart.module.css';
import { clockOf } from './plan-edit.ts';

interface Point {
  readonly tsMs: number;
  readonly soc: number;
  readonly low: number;
  readonly high: number;
}

interface PlanChartProps {
  view: WorkMode;
  nowMs: number;
  minSoc: number;
  /** What the battery will likely hold under the plan that is edited. */
  outlook: readonly Point[];
  /** Mean day of a plan that was held against recorded days, by quarter of an hour. */
  past: readonly (number | null)[];
}

const SOC_HEIGHT = 132;
const PRICE_HEIGHT = 74;
const LABEL_HEIGHT = 18;
const GAP = 26;
const HEIGHT = SOC_HEIGHT + GAP + PRICE_HEIGHT + LABEL_HEIGHT;
const QUARTER_MS = 900_000;
const GAP_MS = 20 * 60_000;

function useWidth() {
  const host = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.max(200, Math.round(entry?.contentRect.width ?? 640))),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { host, width };
}

/** On the axis of the band: state of charge as it was and as it will likely be, sun and house, and the price of each quarter of an hour. */
export function PlanChart({ view, nowMs, minSoc, outlook, past }: PlanChartProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { host, width } = useWidth();
  const { startMs, endMs, recorded, expected } = view.today;
  const xOf = (tsMs: number): number => (width * (tsMs - startMs)) / (endMs - startMs);
  const socY = (soc: number): number => SOC_HEIGHT - (SOC_HEIGHT * Math.min(100, Math.max(0, soc))) / 100;
  const powers = [
    ...recorded.flatMap(([, , generationW, demandW]) => [generationW ?? 0, demandW ?? 0]),
    ...expected.flatMap(({ generationW, demandW }) => [generationW, demandW]),
  ];
  const mostW = Math.max(1_000, ...powers);
  const powerY = (watts: number): number => SOC_HEIGHT - (SOC_HEIGHT * 0.92 * watts) / mostW;
  const lineOf = (points: readonly (readonly [number, number | null])[], y: (value: number) => number): string => {
    let path = '';
    let lastMs = Number.NEGATIVE_INFINITY;
    for (const [tsMs, value] of points) {
      if (value === null) continue;
      path += `${tsMs - lastMs > GAP_MS ? 'M' : 'L'}${xOf(tsMs).toFixed(1)} ${y(value).toFixed(1)}`;
      lastMs = tsMs;
    }
    return path;
  };
  const last = recorded.findLast(([, soc]) => soc !== null);
  const foretold = last
    ? [{ tsMs: last[0], soc: last[1] ?? 0, low: last[1] ?? 0, high: last[1] ?? 0 }, ...outlook]
    : outlook;
  const sun = [
    ...recorded.map(([tsMs, , generationW]) => [tsMs, generationW] as const),
    ...expected.map(({ tsMs, generationW }) => [tsMs + QUARTER_MS / 2, generationW] as const),
  ];
  const house = [
    ...recorded.map(([tsMs, , , demandW]) => [tsMs, demandW] as const),
    ...expected.map(({ tsMs, demandW }) => [tsMs + QUARTER_MS / 2, demandW] as const),
  ];
  const sunLine = lineOf(sun, powerY);
  const [firstSun, lastSun] = [sun.find(([, value]) => value !== null), sun.findLast(([, value]) => value !== null)];
  const bandOf = () => {
    if (foretold.length < 2) return '';
    const up = foretold.map(({ tsMs, high }) => `${xOf(tsMs).toFixed(1)} ${socY(high).toFixed(1)}`);
    const down = [...foretold].reverse().map(({ tsMs, low }) => `${xOf(tsMs).toFixed(1)} ${socY(low).toFixed(1)}`);
    return `M${up.join('L')}L${down.join('L')}Z`;
  };
  const pastLine = lineOf(
    past.map(
      (soc, quarter) => [startMs + (quarter + 1) * ((endMs - startMs) / Math.max(1, past.length)), soc] as const,
    ),
    socY,
  );
  return (
    <div className={styles.chart}>
      <div className={styles.axis} aria-hidden="true">
        {[100, 50, 0].map((soc) => (
          <small key={soc} style={{ top: socY(soc) }}>
            {soc}
          </small>
        ))}
      </div>
      <div ref={host} className={styles.host}>
        <svg className={styles.plot} width={width} height={HEIGHT} role="img" aria-label={summaryOf()}>
          {[0, 50, 100].map((soc) => (
            <line key={soc} className={styles.rule} x1={0} x2={width} y1={socY(soc)} y2={socY(soc)} />
          ))}
          {firstSun && lastSun && (
            <path
              className={styles.sun}
              d={`${sunLine}L${xOf(lastSun[0]).toFixed(1)} ${SOC_HEIGHT}L${xOf(firstSun[0]).toFixed(1)} ${SOC_HEIGHT}Z`}
            />
          )}
          <path className={styles.house} d={lineOf(house, powerY)} />
          <line className={styles.least} x1={0} x2={width} y1={socY(minSoc)} y2={socY(minSoc)} />
          <path className={styles.likely} d={bandOf()} />
          <path className={styles.past} d={pastLine} />
          <path
            className={styles.soc}
            d={lineOf(
              recorded.map(([tsMs, soc]) => [tsMs, soc] as const),
              socY,
            )}
          />
          <path
            className={styles.foretold}
            d={lineOf(
              foretold.map(({ tsMs, soc }) => [tsMs, soc] as const),
              socY,
            )}
          />
          {last && <circle className={styles.dot} cx={xOf(last[0])} cy={socY(last[1] ?? 0)} r={4} />}
          <text className={styles.leastText} x={width - 4} y={socY(minSoc) - 5} textAnchor="end">
            {t('work-modes.leastSoc', { soc: format.percent(minSoc) })}
          </text>
          <Prices view={view} width={width} xOf={xOf} />
          <line className={styles.now} x1={xOf(nowMs)} x2={xOf(nowMs)} y1={0} y2={HEIGHT - LABEL_HEIGHT} />
        </svg>
        <span className={styles.nowText} style={{ left: `clamp(2.75rem, ${xOf(nowMs)}px, calc(100% - 2.75rem))` }}>
          {t('work-modes.now', { time: format.time(nowMs, view.ianaTimezone) })}
        </span>
      </div>
      <PriceGaps view={view} />
      <Tomorrow view={view} />
      <ul className={styles.legend}>
        <li data-line="soc">{t('work-modes.legend.soc')}</li>
        <li data-line="foretold">{t('work-modes.legend.foretold')}</li>
        <li data-line="sun">{t('work-modes.legend.sun')}</li>
        <li data-line="house">{t('work-modes.legend.house')}</li>
        {pastLine !== '' && <li data-line="past">{t('work-modes.legend.past')}</li>}
      </ul>
    </div>
  );

  function summaryOf(): string {
    const soc = last?.[1] ?? null;
    return t('work-modes.chartSummary', {
      soc: format.percent(soc),
      evening: format.percent(foretold.at(-1)?.soc ?? soc),
      power: format.power(mostW),
    });
  }
}

interface PricesProps {
  view: WorkMode;
  width: number;
  xOf: (tsMs: number) => number;
}

/** The spans of a day in which the price of purchase is not known. */
function unknownSpans(prices: WorkMode['prices']): { startMs: number; endMs: number }[] {
  const spans: { startMs: number; endMs: number }[] = [];
  for (const { tsMs, purchase } of prices) {
    const last = spans.at(-1);
    if (purchase !== null) continue;
    if (last?.endMs === tsMs) last.endMs += QUARTER_MS;
    else spans.push({ startMs: tsMs, endMs: tsMs + QUARTER_MS });
  }
  return spans;
}

/** Price of purchase by quarter of an hour: the dearer the higher and darker. */
function Prices({ view, width, xOf }: PricesProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const known = view.prices.flatMap(({ tsMs, purchase }) =>
    purchase === null ? [] : [{ tsMs, text: purchase, price: Number(purchase) }],
  );
  if (known.length === 0)
    return (
      <text className={styles.caption} x={0} y={SOC_HEIGHT + GAP}>
        {t('work-modes.noPrices')}
      </text>
    );
  const values = known.map(({ price }) => price);
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const range = most - least || 1;
  const top = SOC_HEIGHT + GAP;
  const yOf = (price: number): number => top + PRICE_HEIGHT - (PRICE_HEIGHT * (price - least)) / range;
  const [cheapest, dearest] = [Math.min(...values), Math.max(...values)];
  const share = (price: number): number => (dearest > cheapest ? (price - cheapest) / (dearest - cheapest) : 0.5);
  const slot = xOf(view.today.startMs + QUARTER_MS);
  return (
    <>
      <text className={styles.caption} x={0} y={top - 8}>
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
function Tomorrow({ view }: { view: WorkMode }): ReactNode {
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
function PriceGaps({ view }: { view: WorkMode }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const spans = unknownSpans(view.prices);
  if (spans.length === 0 || view.prices.every(({ purchase }) => purchase === null)) return null;
  const shown = spans.map(({ startMs, endMs }) =>
    [startMs, endMs].map((tsMs) => format.time(tsMs, view.ianaTimezone)).join('–'),
  );
  return <p className={styles.gaps}>{t('work-modes.priceGaps', { spans: shown.join(', ') })}</p>;
}
