import { pageBrand } from '../../brand/page-brand.ts';
import styles from './logo.module.css';

/** The mark of the brand whose domain this is, else of the portal: a sun rising over a watch line. */
export function Logo({ size = 28 }: { size?: number }) {
  if (pageBrand?.logo !== undefined)
    return <img className={styles.picture} src={pageBrand.logo} height={size} alt="" />;
  if (pageBrand !== undefined) {
    return (
      <svg className={styles.logo} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
        <rect className={styles.own} width="32" height="32" rx="9" />
        <text className={styles.letter} x="16" y="22" textAnchor="middle">
          {[...pageBrand.name][0]?.toUpperCase()}
        </text>
      </svg>
    );
  }
  return (
    <svg className={styles.logo} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect className={styles.ground} width="32" height="32" rx="9" />
      <path className={styles.sun} d="M8 21.5a8 8 0 0 1 16 0z" />
      <path className={styles.rays} d="M16 9.5V6M7.9 13.1 5.5 10.7M24.1 13.1l2.4-2.4" />
      <path className={styles.horizon} d="M5 21.5h22" />
      <path className={styles.mirror} d="M11 26h10" />
    </svg>
  );
}
