import type { ReactNode } from 'react';
import { useRouteLabel } from '../../tabs/route-label.ts';
import { useTab } from '../../tabs/tab-context.ts';
import { DetailScreen } from './detail-screen.tsx';

/** A screen that has nothing to show but what it says of that, under the name that its tab has. */
export function TitledScreen({ children }: { children: ReactNode }): ReactNode {
  const label = useRouteLabel();
  const { name } = useTab();
  return <DetailScreen title={label(name)}>{children}</DetailScreen>;
}
