import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Skeleton } from '../show/loading.tsx';
import { ReadState } from '../show/read-state.tsx';
import { Dialog } from './dialog.tsx';

interface ReadFirstProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  /** As the dialog that follows. */
  title: string;
  shape?: 'center' | 'drawer';
  wide?: boolean;
  onClose: () => void;
  /** Stands there meanwhile. */
  waiting?: ReactNode;
  children: (data: T) => ReactNode;
}

/** A dialog that begins with what is read for it: it waits for that, or says what went wrong. */
export function ReadFirst<T>({ query, waiting, children, ...dialog }: ReadFirstProps<T>): ReactNode {
  if (query.data !== undefined) return children(query.data);
  return (
    <Dialog opened {...dialog}>
      <ReadState query={query}>{waiting ?? <Skeleton height="16rem" />}</ReadState>
    </Dialog>
  );
}
