import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { barHeights, labelEvery } from '../charts/bar-geometry.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './trend-bars.module.css';
import { axisSplits, cumulated, groupColours, type Measure, type Trend, valuesOf } from './trend-values.ts';

interface TrendBarsProps {
  trend: Trend;
  measure: Measure;
  nameOf: (group: string | null) => string;
  heightPx?: number;
  /** Neither axis of the sum nor names of groups: a small picture beside others. */
  brief?: boolean;
}

const LEFT = 52;
const RIGHT = 56;
const BOTTOM = 24;
const TOP = 12;

/** Plants or kWp by month, stacked by group, and the line of all that there were until then. */
export function TrendBars({ trend, measure, nameOf, heightPx = 300, brief = false }: TrendBarsProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const host = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [active, setActive] = useState<number>();
  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const { months, groups } = trend;
  const stacks = months.map((_, month) => groups.map((group) => valuesOf(group, measure)[month] ?? 0));
  const sums = stacks.map((parts) => parts.reduce((sum, value) => sum + value, 0));
  const line = cumulated(trend, measure);
  const splits = axisSplits(Math.max(1, ...sums), measure);
  const lineSplits = axisSplits(Math.max(1, ...line), measure);
  const [top, lineTop] = [splits.at(-1) ?? 1, lineSplits.at(-1) ?? 1];
  const plot = heightPx - TOP - BOTTOM;
  const right = brief ? 0 : RIGHT;
  const pitch = months.length > 0 ? (width - LEFT - right) / months.length : 0;
  const bar = Math.max(1, Math.min(34, pitch * 0.68));
  const label = (month: string) => format.monthShort(`${month}-01`);
  const long = (month: string) => format.month(`${month}-01`);
  const yearly = months.length > 24;
  const every = labelEvery(yearly ? months.length / 12 : months.length, yearly ? pitch * 12 : pitch, 5);
  const isLabelled = (month: string, index: number) =>
    yearly ? month.endsWith('-01') && Number(month.slice(0, 4)) % every === 0 : index % every === 0;
  const amount = (value: number) =>
    measure === 'plants' ? format.number(value) : `${format.number(value, 1)} ${format.kWpUnit}`;
  const told = active ?? months.length - 1;
  const x = (month: number) => LEFT + pitch * (month + 0.5);
  const y = (value: number) => TOP + plot * (1 - value / lineTop);
  return (
    <figure className={styles.figure}>
      <div ref={host} className={styles.stage} style={{ height: heightPx }}>
        {width > LEFT + right && (
          <svg
            width={width}
            height={heightPx}
            role="img"
            aria-label={t('install-trend.summary', {
              first: long(months[0] ?? ''),
              last: long(months.at(-1) ?? ''),
              added: amount(sums.reduce((sum, value) => sum + value, 0)),
              total: amount(line.at(-1) ?? 0),
            })}
            onPointerMove={({ clientX, currentTarget }) => {
              const at = Math.floor((clientX - currentTarget.getBoundingClientRect().left - LEFT) / pitch);
              setActive(at >= 0 && at < months.length ? at : undefined);
            }}
            onPointerLeave={() => setActive(undefined)}
          >
            {splits.map((split) => (
              <g key={split}>
                <line
                  className={split === 0 ? styles.base : styles.grid}
                  x1={LEFT}
                  x2={width - right}
                  y1={TOP + plot * (1 - split / top)}
                  y2={TOP + plot * (1 - split / top)}
                />
                <text className={styles.axis} x={LEFT - 8} y={TOP + plot * (1 - split / top) + 4} textAnchor="end">
                  {format.number(split)}
                </text>
              </g>
            ))}
            {!brief &&
              lineSplits.map((split) => (
                <text key={split} className={styles.axis} x={width - RIGHT + 8} y={y(split) + 4}>
                  {format.number(split)}
                </text>
              ))}
            {months.map((month, index) => (
              <g key={month} data-active={active === index || undefined} className={styles.slot}>
                <rect className={styles.field} x={LEFT + pitch * index} y={TOP} width={pitch} height={plot} />
                {barHeights(stacks[index] ?? [], top, plot).map(
                  ({ y: from, height }, part) =>
                    height > 0 && (
                      <rect
                        key={groups[part]?.group ?? ''}
                        x={x(index) - bar / 2}
                        y={TOP + from}
                        width={bar}
                        height={height}
                        rx={Math.min(2, height / 2)}
                        style={{ fill: groupColours(groups)[part] }}
                      />
                    ),
                )}
                {isLabelled(month, index) && (
                  <text className={styles.axis} x={x(index)} y={heightPx - 7} textAnchor="middle">
                    {month.endsWith('-01') ? month.slice(0, 4) : label(month)}
                  </text>
                )}
              </g>
            ))}
            {!brief && (
              <polyline
                className={styles.line}
                points={line.map((value, month) => `${x(month)},${y(value)}`).join(' ')}
              />
            )}
          </svg>
        )}
      </div>
      <figcaption className={styles.legend}>
        <strong>{months[told] === undefined ? '' : long(months[told])}</strong>
        {groups.map(({ group }, index) => (
          <span key={group ?? ''}>
            <i style={{ background: groupColours(groups)[index] }} />
            {nameOf(group)} <b>{amount(stacks[told]?.[index] ?? 0)}</b>
          </span>
        ))}
        <span>
          <i data-line />
          {t('install-trend.cumulated')} <b>{amount(line[told] ?? 0)}</b>
        </span>
      </figcaption>
    </figure>
  );
}
