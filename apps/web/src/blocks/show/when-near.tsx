import { type ReactNode, useEffect, useRef, useState } from 'react';

/** How far below the window something may lie to be made. */
const NEAR = '100px';

interface WhenNearProps {
  /** Holds its place meanwhile. */
  standIn: ReactNode;
  children: ReactNode;
}

/** What is far down the page: its code and data are asked for when somebody comes near it. */
export function WhenNear({ standIn, children }: WhenNearProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (isNear || place.current === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setIsNear(true);
      },
      { rootMargin: NEAR },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear]);
  return isNear ? children : <div ref={place}>{standIn}</div>;
}
