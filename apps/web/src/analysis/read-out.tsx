import { IconEye, IconEyeClosed, IconX } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePointTexts } from '../devices/point-text.ts';
import { longestWord } from '../format/longest-word.ts';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import { type CurveData, sampleAt } from './curves.ts';
import { biggestDifference } from './difference.ts';
import styles from './read-out.module.css';
import { COMPARED_DASH, type CurveLook } from './shown-look.ts';
import type { ShownCurve } from './use-analysis.ts';

/** A piece of a curve, as it is drawn. */
export function CurveSwatch({ colour, dash, thin = false }: CurveLook & { thin?: boolean }): ReactNode {
  return (
    <svg className={styles.swatch} width="22" height="10" aria-hidden="true">
      <line
        x1="1"
        y1="5"
        x2="21"
        y2="5"
        style={{ stroke: colour }}
        strokeWidth={thin ? 1.2 : 2.4}
        strokeDasharray={dash.join(' ')}
      />
    </svg>
  );
}

interface ReadOutProps {
  curves: readonly ShownCurve[];
  hidden: ReadonlySet<string>;
  looks: ReadonlyMap<string, CurveLook>;
  compared: ReadonlyMap<string, CurveData>;
  /** The moment that is told. */
  tsMs: number;
  moment: string;
  /** Somebody points at it; else it is the newest. */
  isPointed: boolean;
  /** What is told beside the words of the moment. */
  aside?: ReactNode;
  /** Curves are hidden and taken away elsewhere. */
  brief?: boolean;
  onStress: (key: string | undefined) => void;
  onHide: (key: string) => void;
  onRemove: (key: string) => void;
}

/** All values at one moment: the list is what the cursor reads. */
export function ReadOut(props: ReadOutProps): ReactNode {
  const { curves, hidden, tsMs, moment, isPointed, brief = false } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const seen = curves.filter(({ key }) => !hidden.has(key));
  const difference = biggestDifference(seen, tsMs);
  const severalDevices = new Set(curves.map(({ device }) => device.deviceID)).size > 1;
  const nameOf = (key: string): string => {
    const curve = curves.find((each) => each.key === key);
    if (curve === undefined) return '';
    return severalDevices ? `${curve.label} (${curve.device.deviceSN})` : curve.label;
  };
  return (
    <>
      <div className={styles.toldMoment}>
        <h2>{moment}</h2>
        {props.aside ?? <small>{isPointed ? t('analysis.cursor') : t('analysis.newest')}</small>}
      </div>
      {difference !== undefined && (
        <p className={styles.difference}>
          {t('analysis.behind', {
            name: nameOf(difference.key),
            percent: format.percent(Math.round(difference.percent)),
            other: nameOf(difference.otherKey),
          })}
        </p>
      )}
      <ul
        className={styles.curves}
        data-brief={brief || undefined}
        style={{ '--letters': Math.max(0, ...seen.map(({ label }) => longestWord(label))) } as CSSProperties}
        aria-label={t('analysis.variables')}
      >
        {(brief ? seen : curves).map((curve) => (
          <CurveRow key={curve.key} curve={curve} {...props} brief={brief} />
        ))}
      </ul>
    </>
  );
}

function CurveRow(props: ReadOutProps & { curve: ShownCurve; brief: boolean }): ReactNode {
  const { curve, hidden, looks, compared, tsMs, brief, onStress, onHide, onRemove } = props;
  const { t } = useTranslation();
  const texts = usePointTexts();
  const isOfSeveral = new Set(props.curves.map(({ device }) => device.stationID)).size > 1;
  const { key, label, unit, device } = curve;
  const look = looks.get(key) ?? { colour: 'var(--ink)', dash: [] };
  const isHidden = hidden.has(key);
  const other = compared.get(key);
  const told = (data: CurveData): ReactNode => {
    const sample = sampleAt(data, tsMs);
    if (sample === undefined) return <abbr title={t('charts.notMeasured')}>{NOT_MEASURED}</abbr>;
    const quantity = texts.value(sample.value, unit);
    return (
      <>
        {quantity.value} <small>{quantity.unit}</small>
      </>
    );
  };
  const name = `${label}, ${device.deviceSN}`;
  return (
    <li
      data-hidden={isHidden || undefined}
      onPointerEnter={() => onStress(key)}
      onPointerLeave={() => onStress(undefined)}
      onFocus={() => onStress(key)}
      onBlur={() => onStress(undefined)}
    >
      <CurveSwatch {...look} />
      <span className={styles.curveName}>
        <b>{label}</b>
        {!brief && (
          <small>
            {device.deviceSN}
            {isOfSeveral && device.plantName !== '' && ` · ${device.plantName}`}
          </small>
        )}
      </span>
      {!brief && (
        <span className={styles.curveTools}>
          <button
            type="button"
            aria-label={isHidden ? t('analysis.show', { name }) : t('analysis.hide', { name })}
            aria-pressed={isHidden}
            onClick={() => onHide(key)}
          >
            {isHidden ? <IconEyeClosed size={16} aria-hidden="true" /> : <IconEye size={16} aria-hidden="true" />}
          </button>
          <button type="button" aria-label={t('analysis.remove', { name })} onClick={() => onRemove(key)}>
            <IconX size={16} aria-hidden="true" />
          </button>
        </span>
      )}
      <span className={styles.curveValue}>
        <b>{isHidden ? '' : told(curve)}</b>
        {other !== undefined && !isHidden && (
          <small>
            <CurveSwatch colour={look.colour} dash={COMPARED_DASH} thin /> {told(other)}
          </small>
        )}
      </span>
    </li>
  );
}
