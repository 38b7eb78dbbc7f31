import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { flowIcons } from '../flow/flow-icons.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './where-from-drawer.module.css';
import type { Destination } from './where-from-drawer.tsx';
import { bandsOf, nameOf, type OriginName, type Parts, partOf, toneOf } from './where-from-shares.ts';

const HEIGHT_PX = 96;
const GAP_PX = 12;
const LABEL_PX = 34;
const WIDTH = 180;
const END = 6;

interface WhereFromBandsProps {
  to: Destination;
  parts: Parts;
  shown: readonly OriginName[];
}

/** What came from where as bands to scale; the table says the same in words. */
export function WhereFromBands({ to, parts, shown }: WhereFromBandsProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { bands, totalPx, leftPx } = bandsOf(parts, shown, {
    heightPx: HEIGHT_PX,
    gapPx: GAP_PX,
    leastRoomPx: LABEL_PX,
  });
  const { parts: texts, sum } = format.energyParts(shown.map((origin) => partOf(parts, origin)));
  const height = Math.max(leftPx, totalPx);
  const down = (height - totalPx) / 2;
  const tone = to === 'car' ? 'charger' : 'load';
  return (
    <div className={styles.bands} aria-hidden="true" style={{ height }}>
      <div className={styles.sources}>
        {bands.map(({ origin, fromY, height: px }) => (
          <p
            key={origin}
            style={
              { insetBlockStart: fromY + px / 2, '--c': `var(--${toneOf[origin]}-text, var(--muted))` } as CSSProperties
            }
          >
            <b>{texts[shown.indexOf(origin)]}</b>
            <span>{t(nameOf(origin))}</span>
          </p>
        ))}
      </div>
      <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none" height={height}>
        {bands.map(({ origin, fromY, toY, height: px }) => {
          const right = down + toY;
          const bend = WIDTH / 2;
          const [x0, x1] = [END, WIDTH - END];
          return (
            <g key={origin} style={{ fill: `var(--${toneOf[origin]})` }}>
              <rect x={0} y={fromY} width={END} height={px} />
              <path
                opacity={0.32}
                d={`M${x0} ${fromY}C${bend} ${fromY} ${bend} ${right} ${x1} ${right}V${right + px}C${bend} ${right + px} ${bend} ${fromY + px} ${x0} ${fromY + px}Z`}
              />
            </g>
          );
        })}
        <rect x={WIDTH - END} y={down} width={END} height={totalPx} style={{ fill: `var(--${tone})` }} />
      </svg>
      <p className={styles.sink} style={{ '--c': `var(--${tone})`, '--ci': `var(--${tone}-text)` } as CSSProperties}>
        <svg aria-hidden="true" viewBox="0 0 24 24" width="20" height="20">
          <path d={flowIcons[to === 'car' ? 'charger' : 'load']} />
        </svg>
        <b>{sum}</b>
        <span>{t(to === 'car' ? 'sites.from.car' : 'sites.from.house')}</span>
      </p>
    </div>
  );
}
