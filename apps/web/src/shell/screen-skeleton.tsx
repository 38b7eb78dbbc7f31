import { type Route, type RouteName, routes } from '@sonnenwarte/contract/routes';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import styles from './screen-skeleton.module.css';

const ROWS = Array.from({ length: 10 }, (_, index) => index);
const FIGURES = Array.from({ length: 4 }, (_, index) => index);
const pictures: readonly RouteName[] = ['bus-index', 'data-view'];

/** Screens of the menu are lists, but for the first two; what it does not list shows one record. */
const isList = (name: RouteName): boolean => {
  const route: Route | undefined = routes.find((each) => each.name === name);
  return route?.hidden !== true && !pictures.includes(name);
};

/** Stands in for a screen whose code is coming, in its shape: a list, or figures and a picture. */
export function ScreenSkeleton({ name }: { name: RouteName }) {
  return (
    <LoadingSkeleton>
      <Skeleton width="16rem" height="2rem" />
      {isList(name) ? (
        <>
          <span className={styles.filters}>
            <Skeleton width="16rem" height="2.25rem" />
            <Skeleton width="9rem" height="2.25rem" />
            <Skeleton width="9rem" height="2.25rem" />
          </span>
          <span className={styles.frame}>
            {ROWS.map((row) => (
              <Skeleton key={row} height="1.4rem" />
            ))}
          </span>
        </>
      ) : (
        <>
          <span className={styles.figures}>
            {FIGURES.map((figure) => (
              <Skeleton key={figure} height="5.5rem" />
            ))}
          </span>
          <Skeleton height="22rem" />
        </>
      )}
    </LoadingSkeleton>
  );
}
