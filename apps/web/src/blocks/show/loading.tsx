import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './loading.module.css';

interface SkeletonProps {
  width?: CSSProperties['width'];
  height?: CSSProperties['height'];
}

/** One grey piece of a skeleton. */
export function Skeleton({ width = '100%', height = '1rem' }: SkeletonProps) {
  return <span className={styles.piece} style={{ width, height }} aria-hidden="true" />;
}

/** A skeleton in the shape of what will stand there; invisible for the first 200 ms. */
export function LoadingSkeleton({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className={styles.skeleton} aria-busy="true">
      <span className="visually-hidden">{t('common.loading')}</span>
      {children}
    </div>
  );
}

/** The screen of a plant or a device before its first answer. */
export function DetailSkeleton(): ReactNode {
  return (
    <LoadingSkeleton>
      <Skeleton width="16rem" height="2rem" />
      <Skeleton height="28rem" />
      <Skeleton height="20rem" />
    </LoadingSkeleton>
  );
}
