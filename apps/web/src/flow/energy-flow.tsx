import type { SiteLive } from '@sonnenwarte/contract/sites/site';
import { type CSSProperties, type ReactNode, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionMenu } from '../blocks/overlay/action-menu.tsx';
import { formatNumber, NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './energy-flow.module.css';
import { flowIcons } from './flow-icons.ts';
import { flowLayout, roundedPath } from './flow-layout.ts';
import {
  cardWordOf,
  type EdgeName,
  type FlowEdgeView,
  type FlowNodeView,
  type FlowScale,
  flowView,
  type NodeName,
  tempo,
  workModeOf,
} from './flow-model.ts';

const hues: Record<NodeName | EdgeName, string> = {
  pv: 'pv',
  battery: 'battery',
  external: 'external',
  inverter: 'brand',
  gateway: 'brand',
  ac: 'brand',
  grid: 'grid',
  load: 'load',
  charger: 'charger',
};

const SLOWEST_S = 2.6;
const THINNEST_PX = 1.6;
/** A card that is narrower has its name beside a small icon, and the value below. */
const NARROW_PX = 150;

const shapeOf = (name: NodeName, widthPx: number): 'pill' | 'narrow' | 'low' =>
  name === 'inverter' || name === 'gateway' ? 'pill' : widthPx < NARROW_PX ? 'narrow' : 'low';

interface EnergyFlowProps {
  live: SiteLive;
  /** Values are too old to be called current: they dim and rest. */
  stale: boolean;
  /** How old, in words; part of the summary when stale. */
  ageText?: string | undefined;
  /** Power at which dots run fastest, W: what the plant was built for. */
  ratedW?: number | null;
  onOpenDevice?: ((deviceID: string, node: NodeName) => void) | undefined;
  /** Shows how it will look: nothing is said of what a device does. */
  empty?: boolean;
  /** Leaves room for what it is looked at with. */
  low?: boolean;
  /** Tells where what this consumer took came from. */
  onWhereFrom?: ((node: ConsumerName) => void) | undefined;
}

export type ConsumerName = 'load' | 'charger';
const isConsumer = (name: NodeName): name is ConsumerName => name === 'load' || name === 'charger';

/** The powers of a plant now, from sources through inverter and gateway to consumers. */
export function EnergyFlow(props: EnergyFlowProps): ReactNode {
  const { live, stale, ageText, ratedW, onOpenDevice, onWhereFrom, empty = false, low = false } = props;
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const summaryId = useId();

  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const view = useMemo(() => flowView(live), [live]);
  const shape = `${view.hub}:${view.nodes.map((node) => node.name).join()}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape stands for the nodes; powers do not move boxes
  const layout = useMemo(() => (width === 0 ? null : flowLayout(view, width, low)), [shape, width, low]);
  const rest = stale || live.state === 'offline';
  const referenceW = Math.max(ratedW ?? 0, view.largestW, 1000);
  const texts = useNodeTexts(view.scale);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing, not fields of a form
    <div
      ref={host}
      className={styles.flow}
      role="group"
      aria-label={t('flow.title')}
      aria-describedby={summaryId}
      data-tall={layout?.tall || undefined}
      data-low={(layout?.tall && low) || undefined}
      data-rest={rest || undefined}
      data-empty={empty || undefined}
      style={{ height: layout?.height ?? 400 }}
    >
      <p id={summaryId} className={styles.hidden}>
        {view.nodes.map((node) => texts.sentence(node)).join(' ')}
        {rest && ageText ? ` ${t('flow.lastValues', { age: ageText })}` : ''}
      </p>
      {layout && (
        <>
          <svg width={layout.width} height={layout.height} aria-hidden="true">
            {layout.bar && (
              <rect
                className={styles.bar}
                x={layout.bar.x}
                y={layout.bar.y}
                width={layout.bar.w}
                height={layout.bar.h}
                rx={5}
              />
            )}
            {view.edges.map((edge) => {
              const points = layout.lines.get(edge.name);
              return points ? (
                <Line
                  key={edge.name}
                  edge={edge}
                  points={points}
                  still={rest}
                  referenceW={referenceW}
                  widestPx={layout.tall ? 5.2 : 7}
                />
              ) : null;
            })}
          </svg>
          <ul className={styles.nodes}>
            {view.nodes.map((node) => {
              const box = layout.boxes.get(node.name);
              const hub = (node.name === 'inverter' || node.name === 'gateway') && !layout.tall;
              return box ? (
                <li
                  key={node.name}
                  className={styles.node}
                  data-hub={hub || undefined}
                  data-shape={layout.tall ? shapeOf(node.name, box.w) : undefined}
                  style={
                    {
                      left: box.x,
                      top: box.y,
                      width: box.w,
                      height: box.h,
                      '--c': `var(--${hues[node.name]})`,
                      '--ci': `var(--${hues[node.name]}-text)`,
                    } as CSSProperties
                  }
                  data-idle={(node.idle && !(hub && node.online)) || !node.online || undefined}
                >
                  <NodeCard node={node} texts={texts} onOpenDevice={onOpenDevice} onWhereFrom={onWhereFrom} />
                </li>
              ) : null;
            })}
          </ul>
        </>
      )}
    </div>
  );
}

interface NodeTexts {
  name: (node: FlowNodeView) => string;
  value: (node: FlowNodeView) => string;
  unit: string;
  activity: (node: FlowNodeView) => string;
  spokenActivity: (node: FlowNodeView) => string;
  sentence: (node: FlowNodeView) => string;
}

function useNodeTexts(scale: FlowScale): NodeTexts {
  const { t } = useTranslation();
  const format = useFormat();
  const name = (node: FlowNodeView): string => {
    const label = t(`flow.node.${node.name}`);
    return node.count > 1 ? t('flow.several', { name: label, number: node.count }) : label;
  };
  const value = (node: FlowNodeView): string =>
    node.powerW === null
      ? NOT_MEASURED
      : formatNumber(Math.abs(node.powerW) / scale.divisor, format.locale, scale.decimals);
  // What does not fit is cut at its end: the word, and not the number.
  const withCharge = (words: string, { socPercent }: FlowNodeView): string =>
    socPercent === null ? words : `${format.percent(socPercent)} · ${words}`;
  const activity = (node: FlowNodeView): string => withCharge(t(cardWordOf(node)), node);
  const spokenActivity = (node: FlowNodeView): string => {
    const mode = workModeOf(node);
    const direction = t(`flow.activity.${node.activity}`);
    return withCharge(mode ? `${direction} · ${t(`flow.workMode.${mode}`)}` : direction, node);
  };
  const sentence = (node: FlowNodeView): string => {
    const amount = value(node);
    const measured = amount === NOT_MEASURED ? t('charts.notMeasured') : `${amount} ${scale.unit}`;
    return `${name(node)}: ${measured}, ${spokenActivity(node)}${node.derived ? ` (${t('flow.derived')})` : ''}.`;
  };
  return { name, value, unit: scale.unit, activity, spokenActivity, sentence };
}

interface NodeCardProps {
  node: FlowNodeView;
  texts: NodeTexts;
  onOpenDevice: EnergyFlowProps['onOpenDevice'];
  onWhereFrom: EnergyFlowProps['onWhereFrom'];
}

function NodeCard({ node, texts, onOpenDevice, onWhereFrom }: NodeCardProps): ReactNode {
  const { t } = useTranslation();
  const { deviceID, name } = node;
  const openDevice = deviceID === null || !onOpenDevice ? undefined : () => onOpenDevice(deviceID, name);
  const tellWhereFrom = isConsumer(name) && onWhereFrom ? () => onWhereFrom(name) : undefined;
  const value = texts.value(node);
  const inside = (
    <>
      <span className={styles.chip}>
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          <path d={flowIcons[node.name]} />
        </svg>
      </span>
      <span className={styles.body}>
        <span className={styles.name} title={node.sn ? `${texts.name(node)} · SN ${node.sn}` : texts.name(node)}>
          {texts.name(node)}
        </span>
        <span className={styles.value}>
          {value}
          {value !== NOT_MEASURED && (
            <>
              {' '}
              <small>{texts.unit}</small>
            </>
          )}
          {node.derived && (
            <abbr className={styles.mark} title={t('flow.derivedHint')}>
              ≈
            </abbr>
          )}
        </span>
        <span className={styles.activity} title={texts.spokenActivity(node)}>
          {texts.activity(node)}
        </span>
      </span>
      {node.socPercent !== null && (
        // biome-ignore lint/a11y/useSemanticElements: a meter element cannot be drawn like this in all browsers
        <span
          data-drawn
          className={styles.soc}
          role="meter"
          aria-label={t('flow.soc')}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(node.socPercent)}
        >
          <i data-drawn style={{ transform: `scaleX(${Math.min(100, Math.max(0, node.socPercent)) / 100})` }} />
        </span>
      )}
    </>
  );
  if (openDevice && tellWhereFrom) {
    return (
      <ActionMenu
        className={styles.card ?? ''}
        button={
          <>
            {inside}
            <span className={styles.hidden}>{t('flow.whereFrom')}</span>
          </>
        }
        actions={[
          { label: t('flow.whereFrom'), onSelect: tellWhereFrom },
          { label: t('flow.openDevice'), onSelect: openDevice },
        ]}
      />
    );
  }
  const open = openDevice ?? tellWhereFrom;
  if (open === undefined) return <div className={styles.card}>{inside}</div>;
  return (
    <button type="button" className={styles.card} onClick={open}>
      {inside}
      <span className={styles.hidden}>{t(openDevice ? 'flow.openDevice' : 'flow.whereFrom')}</span>
    </button>
  );
}

interface LineProps {
  edge: FlowEdgeView;
  points: readonly (readonly [number, number])[];
  still: boolean;
  referenceW: number;
  /** Of a line at the reference power. */
  widestPx: number;
}

function Line({ edge, points, still, referenceW, widestPx }: LineProps): ReactNode {
  const dots = useRef<SVGGElement>(null);
  const moving = !edge.idle && !still;
  const rate = tempo(edge.powerW, referenceW);
  const path = useMemo(() => roundedPath(edge.reverse ? [...points].reverse() : points), [points, edge.reverse]);

  useLayoutEffect(() => {
    if (!moving) return;
    for (const dot of dots.current?.children ?? []) {
      for (const animation of dot.getAnimations()) animation.updatePlaybackRate(rate * SLOWEST_S);
    }
  }, [moving, rate]);

  const thickness = THINNEST_PX + (widestPx - THINNEST_PX) * Math.min(1, Math.abs(edge.powerW) / referenceW);
  return (
    <g style={{ color: `var(--${hues[edge.name]})` }} data-edge={edge.name}>
      <path className={styles.rail} d={path} />
      {!edge.idle && (
        <>
          <path className={styles.halo} d={path} strokeWidth={thickness + 7} />
          <path className={styles.core} d={path} strokeWidth={thickness} />
        </>
      )}
      {moving && (
        <g ref={dots}>
          <path className={styles.comet} d={path} strokeWidth={thickness + 2.5} />
          <path className={styles.spark} d={path} strokeWidth={thickness} />
        </g>
      )}
    </g>
  );
}
