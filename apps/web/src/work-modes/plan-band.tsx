import { DAY_MINUTES, MOST_POWER_W, type PlanPeriod } from '@sonnenwarte/contract/work-modes/plan';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { usePeriodText } from './period-text.ts';
import styles from './plan-band.module.css';
import { clockOf, dayShare, STEP_MIN, STEP_W } from './plan-edit.ts';
import type { PlanDraft } from './use-plan-draft.ts';

interface PlanBandProps {
  draft: PlanDraft;
  /** Weekday that is shown, 0 = Monday. */
  day: number;
  /** Place of the period that holds now, as the device has it. */
  readOnly: boolean;
  /** Enter: to the panel in which the period is edited. */
  onEdit: (place: number) => void;
  /** Numbers in place of words, for a narrow band. */
  brief: boolean;
}

const HOURS = [0, 3, 6, 9, 12, 15, 18, 21, 24];
const BRIEF_HOURS = [0, 6, 12, 18, 24];
type Grip = 'startMin' | 'endMin' | 'whole';

interface Drag {
  readonly place: number;
  readonly grip: Grip;
  /** Minutes between the pointer and the edge that it moves. */
  readonly offMin: number;
}

/** The day of a plan as a band: periods are dragged, moved by keys, and stop at each other. */
export function PlanBand({ draft, day, readOnly, onEdit, brief }: PlanBandProps): ReactNode {
  const text = usePeriodText();
  const band = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | null>(null);
  const { plan, chosen } = draft;
  const shown = plan.periods
    .map((period, place) => ({ period, place }))
    .filter(({ period }) => (period.days & (1 << day)) !== 0)
    .sort((one, other) => one.period.startMin - other.period.startMin);

  const minuteAt = (event: PointerEvent): number => {
    const { left, width } = band.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    return ((event.clientX - left) / width) * DAY_MINUTES;
  };
  const grip = (place: number, period: PlanPeriod, which: Grip) => (event: PointerEvent) => {
    draft.choose(place);
    if (readOnly || event.button !== 0) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    const edge = which === 'endMin' ? period.endMin : period.startMin;
    drag.current = { place, grip: which, offMin: minuteAt(event) - edge };
  };
  const dragTo = (event: PointerEvent) => {
    if (drag.current === null) return;
    const { place, grip: which, offMin } = drag.current;
    const minute = minuteAt(event) - offMin;
    if (which === 'whole') draft.move(place, minute);
    else draft.edge(place, which, minute);
  };
  const release = () => {
    drag.current = null;
  };

  return (
    <div
      className={styles.band}
      data-brief={brief || undefined}
      data-idle={plan.mode !== 'batterySupport' || undefined}
    >
      <div className={styles.hours} aria-hidden="true">
        {(brief ? BRIEF_HOURS : HOURS).map((hour) => (
          <small key={hour} style={{ '--at': `${dayShare(hour * 60)}%` } as CSSProperties}>
            {clockOf(hour * 60)}
          </small>
        ))}
      </div>
      <div ref={band} className={styles.track} onPointerMove={dragTo} onPointerUp={release} onPointerCancel={release}>
        <Gaps periods={shown.map(({ period }) => period)} />
        {shown.map(({ period, place }, at) => (
          <Window
            key={place}
            period={period}
            number={at + 1}
            brief={brief}
            isChosen={place === chosen}
            isFresh={place === draft.fresh}
            readOnly={readOnly}
            label={text.spoken(period, at + 1)}
            onFocus={() => draft.choose(place)}
            onKeyDown={(event) => onKey(event, draft, place, readOnly, onEdit)}
            gripOf={(which) => grip(place, period, which)}
          />
        ))}
      </div>
    </div>
  );
}

/** Keys of a window: arrows move it, with Shift its end alone, up and down its power, Enter edits, Delete removes it. */
function onKey(
  event: KeyboardEvent,
  draft: PlanDraft,
  place: number,
  readOnly: boolean,
  onEdit: (place: number) => void,
): void {
  const period = draft.plan.periods[place];
  if (period === undefined) return;
  const along = { ArrowLeft: -STEP_MIN, ArrowRight: STEP_MIN }[event.key];
  const power = { ArrowUp: STEP_W, ArrowDown: -STEP_W }[event.key];
  if (event.key === 'Enter') onEdit(place);
  else if (readOnly) return;
  else if (event.key === 'Delete' || event.key === 'Backspace') draft.remove(place);
  else if (power !== undefined) draft.power(place, power);
  else if (along === undefined) return;
  else if (event.shiftKey) draft.edge(place, 'endMin', period.endMin + along);
  else draft.move(place, period.startMin + along);
  event.preventDefault();
}

interface WindowProps {
  period: PlanPeriod;
  number: number;
  brief: boolean;
  isChosen: boolean;
  /** It has just come: keys move it from there on. */
  isFresh: boolean;
  readOnly: boolean;
  label: string;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  gripOf: (grip: Grip) => (event: PointerEvent) => void;
}

function Window(props: WindowProps): ReactNode {
  const { period, number, brief, isChosen, isFresh, readOnly, label, onFocus, onKeyDown, gripOf } = props;
  const text = usePeriodText();
  const { startMin, endMin, action, powerW } = period;
  const self = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isFresh) self.current?.focus();
  }, [isFresh]);
  const place = { '--from': `${dayShare(startMin)}%`, '--long': `${dayShare(endMin - startMin)}%` } as CSSProperties;
  // Neither takes the focus: keys move the window itself, and a finger near an end that could take it would always be led to that.
  const edge = (which: 'startMin' | 'endMin') => (
    <span role="presentation" className={styles.grip} data-edge={which} onPointerDown={gripOf(which)} />
  );
  return (
    <section
      ref={self}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a window is moved by keys as a whole, its ends by Shift
      tabIndex={0}
      className={styles.window}
      data-action={action}
      data-chosen={isChosen || undefined}
      style={place}
      aria-label={label}
      data-power={`${powerW}/${MOST_POWER_W}`}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onPointerDown={gripOf('whole')}
    >
      {brief ? (
        <b aria-hidden="true">{number}</b>
      ) : (
        <span className={styles.words} aria-hidden="true">
          <b>{text.action(action)}</b>
          <small>{text.detail(period)}</small>
        </span>
      )}
      {isChosen && !readOnly && edge('startMin')}
      {isChosen && !readOnly && edge('endMin')}
    </section>
  );
}

/** Where no window holds the battery serves the house. */
function Gaps({ periods }: { periods: readonly PlanPeriod[] }): ReactNode {
  const { t } = useTranslation();
  const gaps: { startMin: number; endMin: number }[] = [];
  let fromMin = 0;
  for (const { startMin, endMin } of [...periods, { startMin: DAY_MINUTES, endMin: DAY_MINUTES }]) {
    if (startMin > fromMin) gaps.push({ startMin: fromMin, endMin: startMin });
    fromMin = Math.max(fromMin, endMin);
  }
  return gaps.map(({ startMin, endMin }) => (
    <span
      key={startMin}
      className={styles.gap}
      style={{ '--from': `${dayShare(startMin)}%`, '--long': `${dayShare(endMin - startMin)}%` } as CSSProperties}
    >
      <small>{t('work-modes.gap')}</small>
    </span>
  ));
}
