import { useEffect, useState } from 'react';

/** Resolves a colour expression (a variable, `light-dark()`) to what a canvas understands. */
export function resolveColour(expression: string, host: HTMLElement): string {
  const probe = document.createElement('span');
  probe.style.color = expression;
  host.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

/** Counts up when light turns to dark or back, so that a canvas is drawn anew. */
export function useThemeVersion(): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const bump = (): void => setVersion((now) => now + 1);
    const observer = new MutationObserver(bump);
    observer.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['data-scheme'],
    });
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', bump);
    return () => {
      observer.disconnect();
      system.removeEventListener('change', bump);
    };
  }, []);
  return version;
}
