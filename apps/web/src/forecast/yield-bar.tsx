import type { CSSProperties, ReactNode } from 'react';
import styles from './forecast.module.css';

interface YieldBarProps {
  /** What has come already. */
  soFarWh: number;
  fromWh: number;
  toWh: number;
  /** At the end of the bar. */
  fullWh: number;
  /** The bar in words. */
  spoken: string;
}

/** What came, solid; what is to come, hatched; and a bracket around where it will likely end. */
export function YieldBar({ soFarWh, fromWh, toWh, fullWh, spoken }: YieldBarProps): ReactNode {
  const share = (wh: number): string => `${Math.min(100, (100 * wh) / (fullWh || 1)).toFixed(2)}%`;
  const places = { '--so-far': share(soFarWh), '--from': share(fromWh), '--to': share(toWh) } as CSSProperties;
  return (
    <div className={styles.bar} style={places} role="img" aria-label={spoken}>
      <span data-part="coming" />
      <span data-part="came" />
      <span data-part="range" />
    </div>
  );
}
