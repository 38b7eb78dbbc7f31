import { type PointerEvent, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { azimuthAt, inclinationAt } from './array-shape.ts';
import styles from './roof-dials.module.css';

const TICKS = Array.from({ length: 24 }, (_, at) => at * 15);

const unit = (degrees: number): { x: number; y: number } => ({
  x: Math.sin((degrees * Math.PI) / 180),
  y: -Math.cos((degrees * Math.PI) / 180),
});

const fixed = (value: number): string => value.toFixed(1);

interface DragProps {
  /** Point of the drawing's own coordinates. */
  onDrag: (x: number, y: number) => void;
}

/** What drags on a drawing: the pointer in its coordinates. */
function useDrag({ onDrag }: DragProps) {
  const drawing = useRef<SVGSVGElement>(null);
  const tell = (event: PointerEvent) => {
    const matrix = drawing.current?.getScreenCTM();
    if (!matrix) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    onDrag(x, y);
  };
  return {
    ref: drawing,
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      tell(event);
    },
    onPointerMove: (event: PointerEvent) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) tell(event);
    },
  };
}

/** A roof seen from above; the arrow is where it faces. The number beside it says the same, so that this is for eyes and hands alone. */
export function Compass({
  azimuthDeg,
  onTurn,
}: {
  azimuthDeg: number;
  onTurn: (azimuthDeg: number) => void;
}): ReactNode {
  const { t } = useTranslation();
  const drag = useDrag({ onDrag: (x, y) => onTurn(azimuthAt(x, y)) });
  return (
    <svg {...drag} className={styles.dial} viewBox="-60 -60 120 120" aria-hidden="true" data-dial="compass">
      <path className={styles.sun} d="M-40 0A40 40 0 0 0 40 0Z" />
      <circle className={styles.ring} r="40" />
      {TICKS.map((degrees) => {
        const { x, y } = unit(degrees);
        const inner = degrees % 90 === 0 ? 33 : 36;
        return (
          <line
            key={degrees}
            className={styles.tick}
            x1={fixed(x * inner)}
            y1={fixed(y * inner)}
            x2={fixed(x * 40)}
            y2={fixed(y * 40)}
          />
        );
      })}
      <g transform={`rotate(${azimuthDeg})`}>
        <rect className={styles.roof} x="-14" y="-9" width="28" height="18" rx="2" />
        <path className={styles.arrow} d="M0 -9V-31M-5 -25L0 -31L5 -25" />
      </g>
      {(['n', 'e', 's', 'w'] as const).map((point, at) => {
        const { x, y } = unit(at * 90);
        return (
          <text key={point} className={styles.letter} x={fixed(x * 51)} y={fixed(y * 51 + 4)}>
            {t(`site-form.compass.${point}`)}
          </text>
        );
      })}
    </svg>
  );
}

const FOOT = { x: -46, y: 14 } as const;
const LENGTH = 62;

/** A roof from the side: how steep it is. */
export function Slope({
  inclinationDeg,
  onTilt,
}: {
  inclinationDeg: number;
  onTilt: (inclinationDeg: number) => void;
}): ReactNode {
  const drag = useDrag({ onDrag: (x, y) => onTilt(inclinationAt(x - FOOT.x, y - FOOT.y)) });
  const angle = (inclinationDeg * Math.PI) / 180;
  const [x, y] = [Math.cos(angle), -Math.sin(angle)];
  return (
    <svg {...drag} className={styles.dial} viewBox="-60 -52 120 72" aria-hidden="true" data-dial="slope">
      <line className={styles.ring} x1={FOOT.x} y1={FOOT.y} x2="46" y2={FOOT.y} />
      <path
        className={styles.ring}
        d={`M${FOOT.x + 18} ${FOOT.y}A18 18 0 0 0 ${fixed(FOOT.x + 18 * x)} ${fixed(FOOT.y + 18 * y)}`}
      />
      <line
        className={styles.slope}
        x1={FOOT.x}
        y1={FOOT.y}
        x2={fixed(FOOT.x + LENGTH * x)}
        y2={fixed(FOOT.y + LENGTH * y)}
      />
    </svg>
  );
}
