import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import { type BarSlot, barHeights, energySplits, labelEvery } from './bar-geometry.ts';
import tipStyles from './chart-tip.module.css';
import styles from './energy-bars.module.css';

export interface BarPart {
  readonly key: string;
  readonly label: string;
  readonly colour: string;
}

interface EnergyBarsProps {
  slots: readonly BarSlot[];
  parts: readonly BarPart[];
  title: string;
  heightPx?: number;
  /** What the outlines are of. */
  compared?: string;
  /** A bar that is clicked, or touched again, or Enter: its time is opened. */
  onOpen?: (slot: BarSlot) => void;
}

/** Of two digits: the last one would else be cut off where bars are narrow. */
const HALF_LABEL = 8;
const LEFT = 58;
const BOTTOM = 24;
const TOP = 10;

const isMeasured = ({ valuesWh }: BarSlot): boolean => valuesWh.some((value) => value !== null);

/** Stacked energies by hour, day, month or year. An empty slot is time without a measurement, not zero. */
export function EnergyBars({ slots, parts, title, heightPx = 230, compared, onOpen }: EnergyBarsProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const host = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [active, setActive] = useState<number | null>(null);
  const [focusable, setFocusable] = useState(0);
  const touchedBefore = useRef<number | null>(null);

  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const largestWh = Math.max(
    0,
    ...slots.map((slot) => slot.valuesWh.reduce<number>((sum, value) => sum + (value ?? 0), 0)),
    ...slots.map((slot) => slot.comparedWh ?? 0),
  );
  const splits = energySplits(largestWh);
  const splitLabels = format.energyAxis(splits);
  const topWh = splits.at(-1) ?? 1;
  const plotH = heightPx - TOP - BOTTOM;
  const pitch = slots.length > 0 ? (width - LEFT) / slots.length : 0;
  const barW = Math.max(2, Math.min(34, pitch * 0.68));
  const every = labelEvery(slots.length, pitch, Math.max(0, ...slots.map((slot) => slot.label.length)));
  const last = Math.max(
    0,
    slots.findLastIndex((slot) => !slot.future),
  );
  const reachable = Math.min(focusable, last);

  const sentence = (slot: BarSlot): string => {
    const estimated = slot.estimated ? `, ${t('charts.estimated')}` : '';
    const other =
      compared !== undefined && typeof slot.comparedWh === 'number'
        ? `, ${compared} ${format.energy(slot.comparedWh)}`
        : '';
    if (!isMeasured(slot)) return `${slot.longLabel}: ${t('charts.notMeasured')}`;
    const energies = format.energyParts(slot.valuesWh);
    return `${slot.longLabel}: ${parts.map((part, index) => `${part.label} ${energies.parts[index]}`).join(', ')}${other}${estimated}`;
  };

  const step = (event: KeyboardEvent): void => {
    const target = { ArrowLeft: reachable - 1, ArrowRight: reachable + 1, Home: 0, End: last }[event.key];
    if (event.key === 'Escape') setActive(null);
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      open(reachable);
    }
    if (target === undefined) return;
    event.preventDefault();
    const next = Math.min(last, Math.max(0, target));
    setFocusable(next);
    host.current?.querySelector<SVGGElement>(`[data-slot="${next}"]`)?.focus();
  };

  const slotAt = ({ clientX, currentTarget }: MouseEvent<SVGSVGElement>): number =>
    Math.min(last, Math.max(0, Math.floor((clientX - currentTarget.getBoundingClientRect().left - LEFT) / pitch)));
  const follow = (event: PointerEvent<SVGSVGElement>): void => {
    if (event.pointerType === 'mouse' || pitch === 0) return;
    if (event.type === 'pointerdown') touchedBefore.current = active;
    setActive(slotAt(event));
  };
  const open = (index: number): void => {
    const slot = slots[index];
    if (slot !== undefined && !slot.future && isMeasured(slot)) onOpen?.(slot);
  };
  /** A finger reads a bar first; touching the same again opens it. */
  const click = (event: MouseEvent<SVGSVGElement>): void => {
    if (pitch === 0) return;
    const isTouch = (event.nativeEvent as globalThis.PointerEvent).pointerType === 'touch';
    const at = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT) / pitch);
    if (at >= 0 && (!isTouch || touchedBefore.current === at)) open(at);
  };

  useEffect(() => {
    const leave = ({ target, pointerType }: globalThis.PointerEvent): void => {
      if (pointerType === 'mouse' || (target instanceof Node && host.current?.contains(target))) return;
      setActive(null);
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, []);

  const shown = active === null ? undefined : slots[active];
  const told = shown ?? slots.findLast(isMeasured);
  const energies = told && format.energyParts(told.valuesWh);
  return (
    <figure className={styles.figure}>
      <div ref={host} className={styles.stage} style={{ height: heightPx }}>
        {width > 0 && (
          <svg width={width} height={heightPx} aria-hidden="true">
            {splits.map((split, index) => {
              const y = TOP + plotH * (1 - split / topWh);
              return (
                <g key={split}>
                  <line className={split === 0 ? styles.base : styles.grid} x1={LEFT} x2={width} y1={y} y2={y} />
                  <text className={styles.axis} x={LEFT - 8} y={y + 4} textAnchor="end">
                    {splitLabels[index]}
                  </text>
                </g>
              );
            })}
            {slots.map((slot, index) =>
              index % every === 0 ? (
                <text
                  key={slot.key}
                  className={styles.axis}
                  x={Math.min(LEFT + pitch * (index + 0.5), width - HALF_LABEL)}
                  y={heightPx - 7}
                  textAnchor="middle"
                >
                  {slot.label}
                </text>
              ) : null,
            )}
          </svg>
        )}
        {width > 0 && (
          // biome-ignore lint/a11y/useSemanticElements: bars of a drawing
          <svg
            width={width}
            height={heightPx}
            role="group"
            aria-label={title}
            onKeyDown={step}
            data-opens={onOpen !== undefined || undefined}
            onClick={click}
            onPointerDown={follow}
            onPointerMove={follow}
            onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setActive(null)}
          >
            {slots.map((slot, index) => {
              const x = LEFT + pitch * index;
              const rects = barHeights(slot.valuesWh, topWh, plotH);
              return (
                <g
                  key={slot.key}
                  data-slot={index}
                  className={styles.slot}
                  role={onOpen === undefined ? 'img' : 'button'}
                  aria-label={sentence(slot)}
                  aria-hidden={slot.future || undefined}
                  tabIndex={slot.future ? undefined : index === reachable ? 0 : -1}
                  data-future={slot.future || undefined}
                  data-active={active === index || undefined}
                  data-estimated={slot.estimated || undefined}
                  onFocus={() => {
                    setActive(index);
                    setFocusable(index);
                  }}
                  onBlur={() => setActive(null)}
                  onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setActive(slot.future ? null : index)}
                >
                  <rect className={styles.field} x={x} y={TOP} width={pitch} height={plotH} rx={4} />
                  {typeof slot.comparedWh === 'number' && slot.comparedWh > 0 && (
                    <rect
                      className={styles.compared}
                      x={x + (pitch - barW) / 2 - 2}
                      y={TOP + plotH * (1 - slot.comparedWh / topWh)}
                      width={barW + 4}
                      height={(plotH * slot.comparedWh) / topWh}
                      rx={Math.min(3, barW / 4)}
                    />
                  )}
                  {rects.map((rect, part) =>
                    rect.height > 0 ? (
                      <rect
                        key={parts[part]?.key ?? part}
                        x={x + (pitch - barW) / 2}
                        y={TOP + rect.y}
                        width={barW}
                        height={rect.height}
                        rx={Math.min(3, barW / 4, rect.height / 2)}
                        style={{ fill: parts[part]?.colour }}
                      />
                    ) : null,
                  )}
                </g>
              );
            })}
          </svg>
        )}
        {shown && active !== null && (
          <div
            className={tipStyles.tip}
            aria-hidden="true"
            data-side={active > slots.length / 2 ? 'left' : 'right'}
            style={{ ['--tip-x' as string]: `${LEFT + pitch * (active + (active > slots.length / 2 ? 0 : 1))}px` }}
          >
            <div className={tipStyles.box}>
              <strong>{shown.longLabel}</strong>
              <dl>
                {parts.map((part, index) => (
                  <div key={part.key}>
                    <dt>
                      <i style={{ background: part.colour }} />
                      {part.label}
                    </dt>
                    <dd>{energies?.parts[index]}</dd>
                  </div>
                ))}
                <div className={styles.sum}>
                  <dt>{t('charts.sum')}</dt>
                  <dd>{energies?.sum}</dd>
                </div>
                {compared !== undefined && typeof shown.comparedWh === 'number' && (
                  <div>
                    <dt>
                      <i className={styles.outline} />
                      {compared}
                    </dt>
                    <dd>{format.energy(shown.comparedWh)}</dd>
                  </div>
                )}
              </dl>
              {shown.estimated && <p>≈ {t('charts.estimated')}</p>}
            </div>
          </div>
        )}
      </div>
      <figcaption className={styles.legend}>
        {told && (
          <strong className={styles.moment} aria-hidden="true" data-reading={active !== null || undefined}>
            <span>{told.longLabel}</span>
            <span>
              {told.estimated && '≈ '}
              {energies?.sum}
            </span>
          </strong>
        )}
        {parts.map((part, index) => (
          <span key={part.key}>
            <i style={{ background: part.colour }} />
            <span>{part.label}</span>
            <b className={styles.value} aria-hidden="true">
              {energies?.parts[index]}
            </b>
          </span>
        ))}
        {compared !== undefined && (
          <span>
            <i className={styles.outline} />
            <span>{compared}</span>
            <b className={styles.value} aria-hidden="true">
              {told && typeof told.comparedWh === 'number' && format.energy(told.comparedWh)}
            </b>
          </span>
        )}
      </figcaption>
    </figure>
  );
}
