import type { ReactNode } from 'react';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { useRouteLabel } from './route-label.ts';
import { useTab } from './tab-context.ts';

/** A screen that has nothing to show but what it says of that, under the name that its tab has. */
export function TitledScreen({ children }: { children: ReactNode }): ReactNode {
  const label = useRouteLabel();
  const { name } = useTab();
  return <DetailScreen title={label(name)}>{children}</DetailScreen>;
}
