import { type ReactNode, startTransition, useEffect, useState } from 'react';
import { afterFirstScreen } from '../../state/idle.ts';

/** What belongs to the first screen and is no part of its first load: made once the browser has nothing else to do. */
export function WhenIdle({ children }: { children: ReactNode }): ReactNode {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => afterFirstScreen(() => startTransition(() => setIsIdle(true))), []);
  return isIdle && children;
}
