import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

interface EmptyListProps {
  list: { filters: number; reset: () => void };
  /** Said where there is nothing at all. */
  empty: string;
  /** Said where filters hide everything. */
  noMatch: string;
  /** Takes the filters away. */
  reset: string;
}

/** A list without rows: there are none yet, or none that the filters let through. */
export function EmptyList({ list, empty, noMatch, reset }: EmptyListProps): ReactNode {
  if (list.filters === 0) return <EmptyState text={empty} />;
  return <EmptyState text={noMatch} action={<Button onClick={list.reset}>{reset}</Button>} />;
}
