import type { ReactNode } from 'react';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { TitledScreen } from '../blocks/show/titled-screen.tsx';

/** A home that has nothing to show yet: its shape, or why nothing came. */
export function HomePending({ error, retry }: { error: unknown; retry: () => void }): ReactNode {
  if (error) {
    return (
      <TitledScreen>
        <ErrorNotice error={error} retry={retry} />
      </TitledScreen>
    );
  }
  return (
    <LoadingSkeleton>
      <Skeleton width="10rem" height="2rem" />
      <Skeleton height="9rem" />
      <Skeleton height="6rem" />
      <Skeleton height="14rem" />
    </LoadingSkeleton>
  );
}
