import { type ReactNode, startTransition, useEffect, useState } from 'react';

/**
 * What lies below the first screen: it is made once that has been painted, and gives way to whatever is done there.
 * Nothing stands in for it, since nothing below it can move.
 */
export function Later({ children }: { children: ReactNode }): ReactNode {
  const [painted, setPainted] = useState(false);
  useEffect(() => startTransition(() => setPainted(true)), []);
  return painted ? children : null;
}
