import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';
import { LoadingSkeleton } from './loading.tsx';

interface ReadStateProps {
  query: Pick<UseQueryResult, 'data' | 'error' | 'refetch'>;
  /** Skeletons in the shape of what is read. */
  children: ReactNode;
}

/** Stands above what was read: nothing, a skeleton until the first answer, or what went wrong. */
export function ReadState({ query: { data, error, refetch }, children }: ReadStateProps): ReactNode {
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} keepsShown={data !== undefined} />;
  return data === undefined && <LoadingSkeleton>{children}</LoadingSkeleton>;
}
