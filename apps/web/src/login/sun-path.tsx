import styles from './sun-path.module.css';

const hours = Array.from({ length: 13 }, (_, index) => index);

/** Place on the sun's path from sunrise (0) to sunset (12). */
const at = (hour: number): { x: number; y: number } => {
  const angle = Math.PI * (1 - hour / 12);
  return { x: 300 + 230 * Math.cos(angle), y: 330 - 210 * Math.sin(angle) };
};

/** Decoration: the sun's path over a watch line, with the hours as marks. */
export function SunPath() {
  const sun = at(4.4);
  return (
    <svg className={styles.path} viewBox="0 0 600 460" aria-hidden="true">
      <path className={styles.arc} d="M70 330a230 210 0 0 1 460 0" />
      <path className={styles.travelled} d={`M70 330A230 210 0 0 1 ${sun.x} ${sun.y}`} />
      {hours.map((hour) => {
        const { x, y } = at(hour);
        return <circle key={hour} className={styles.hour} cx={x} cy={y} r={hour % 3 === 0 ? 4 : 2.5} />;
      })}
      <circle className={styles.halo} cx={sun.x} cy={sun.y} r="46" />
      <circle className={styles.sun} cx={sun.x} cy={sun.y} r="24" />
      <path className={styles.ground} d="M20 330h560" />
      <g className={styles.panels}>
        <path d="m150 396 26-44h84l-26 44zM276 396l26-44h84l-26 44zM402 396l26-44h84l-26 44z" />
        <path d="M163 374h84M289 374h84M415 374h84M204 352l-12 44M330 352l-12 44M456 352l-12 44" />
      </g>
    </svg>
  );
}
