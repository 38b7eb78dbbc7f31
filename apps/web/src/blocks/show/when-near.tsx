import { type ReactNode, useEffect, useRef, useState } from 'react';

/** How far below the window something may lie to be made. */
const NEAR_PX = 100;

interface WhenNearProps {
  /** How far below the window is near; below zero: so much of it must be in the window. */
  nearPx?: number;
  /** Holds its place meanwhile. */
  standIn: ReactNode;
  children: ReactNode;
}

/** What is far down the page: its code and data are asked for when somebody comes near it. */
export function WhenNear({ nearPx = NEAR_PX, standIn, children }: WhenNearProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (isNear || place.current === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setIsNear(true);
      },
      { rootMargin: `0px 0px ${nearPx}px` },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear, nearPx]);
  return isNear ? children : <div ref={place}>{standIn}</div>;
}
