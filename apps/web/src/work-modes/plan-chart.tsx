import type { WorkMode } from '@sonnenwarte/contract/work-modes/work-modes';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import styles from './plan-chart.module.css';
import { PriceGaps, PriceLane, priceHeight, Tomorrow } from './price-lane.tsx';

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

const TOP = 8;
const SOC_HEIGHT = 132;
const LABEL_HEIGHT = 18;
const GAP = 26;
const DAY_PARTS = 8;
const SOC_RULES = [100, 50, 0];
const QUARTER_MS = 900_000;
const GAP_MS = 20 * 60_000;

/** The end of an axis that reaches as far as its values: a one, two or five with zeros, watts. */
function axisEnd(mostW: number): number {
  const ten = 10 ** Math.floor(Math.log10(mostW));
  return ([1, 2, 5].find((step) => step * ten >= mostW) ?? 10) * ten;
}

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
  const zeroY = TOP + SOC_HEIGHT;
  const priceTop = zeroY + GAP;
  const height = priceTop + priceHeight(view.prices) + LABEL_HEIGHT;
  const socY = (soc: number): number => zeroY - (SOC_HEIGHT * Math.min(100, Math.max(0, soc))) / 100;
  const powers = [
    ...recorded.flatMap(([, , generationW, demandW]) => [generationW ?? 0, demandW ?? 0]),
    ...expected.flatMap(({ generationW, demandW }) => [generationW, demandW]),
  ];
  const mostW = Math.max(1_000, ...powers);
  const endW = axisEnd(mostW);
  const powerY = (watts: number): number => zeroY - (SOC_HEIGHT * watts) / endW;
  const powerRules = [endW, endW / 2, 0];
  const powerLabels = format.powerAxis(powerRules);
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
  // Where there is no room above its line it stands below.
  const leastTextY = socY(minSoc) < TOP + 20 ? socY(minSoc) + 3 : socY(minSoc) - 19;
  const nowX = xOf(nowMs).toFixed(1);
  const pastLine = lineOf(
    past.map(
      (soc, quarter) => [startMs + (quarter + 1) * ((endMs - startMs) / Math.max(1, past.length)), soc] as const,
    ),
    socY,
  );
  return (
    <div className={styles.chart}>
      <div className={styles.axis} aria-hidden="true">
        {SOC_RULES.map((soc) => (
          <small key={soc} style={{ top: socY(soc) }}>
            {format.percent(soc)}
          </small>
        ))}
      </div>
      <div className={styles.axis} data-side="end" aria-hidden="true">
        {powerRules.map((watts, place) => (
          <small key={watts} style={{ top: powerY(watts) }}>
            {powerLabels[place]}
          </small>
        ))}
      </div>
      <div ref={host} className={styles.host}>
        <svg className={styles.plot} width={width} height={height} role="img" aria-label={summaryOf()}>
          {Array.from({ length: DAY_PARTS + 1 }, (_, part) => (width * part) / DAY_PARTS).map((x) => (
            <line key={x} className={styles.rule} x1={x} x2={x} y1={TOP} y2={height - LABEL_HEIGHT} />
          ))}
          {SOC_RULES.map((soc) => (
            <line key={soc} className={styles.rule} x1={0} x2={width} y1={socY(soc)} y2={socY(soc)} />
          ))}
          {firstSun && lastSun && (
            <path
              className={styles.sun}
              d={`${sunLine}L${xOf(lastSun[0]).toFixed(1)} ${zeroY}L${xOf(firstSun[0]).toFixed(1)} ${zeroY}Z`}
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
          <PriceLane view={view} topPx={priceTop} width={width} xOf={xOf} />
          {/* Between the lanes stands what the lower one is. */}
          <path className={styles.now} d={`M${nowX} ${TOP}V${zeroY}M${nowX} ${priceTop}V${height - LABEL_HEIGHT}`} />
        </svg>
        <span className={styles.leastText} style={{ top: leastTextY }} aria-hidden="true">
          {t('work-modes.leastSoc', { soc: format.percent(minSoc) })}
        </span>
        <span className={styles.nowText} style={{ left: `clamp(2.75rem, ${nowX}px, calc(100% - 2.75rem))` }}>
          {t('work-modes.now', { time: format.time(nowMs, view.ianaTimezone) })}
        </span>
      </div>
      <PriceGaps view={view} />
      <Tomorrow view={view} />
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

/** What the lines of the chart are. */
export function PlanLegend({ hasPast }: { hasPast: boolean }): ReactNode {
  const { t } = useTranslation();
  return (
    <ul className={styles.legend}>
      <li data-line="soc">{t('work-modes.legend.soc')}</li>
      <li data-line="foretold">{t('work-modes.legend.foretold')}</li>
      <li data-line="likely">{t('work-modes.legend.likely')}</li>
      <li data-line="sun">{t('work-modes.legend.sun')}</li>
      <li data-line="house">{t('work-modes.legend.house')}</li>
      {hasPast && <li data-line="past">{t('work-modes.legend.past')}</li>}
    </ul>
  );
}
