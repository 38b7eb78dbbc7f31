import { type ComponentType, createElement, use } from 'react';
import { fetchTexts, hasTexts } from './language/text-sets.ts';
import { lazyScreen, type Screen } from './lazy-screen.ts';

/** A screen that is shown once a set of texts is there, which is fetched beside its code. */
export function withTexts(set: string, Shown: Screen): Screen {
  const preload = () => Promise.all([fetchTexts(set), Shown.preload?.()]);
  return Object.assign(
    function ShownWithTexts(props: object) {
      if (!hasTexts(set)) {
        preload().catch(() => undefined);
        use(fetchTexts(set));
      }
      return createElement(Shown, props);
    },
    { preload, ...(Shown.reads && { reads: Shown.reads }) },
  );
}

/** A part of the workspace that brings along texts of its own: all that its modules name, under this name. */
export const lazyPart = <P>(set: string, load: () => Promise<ComponentType<P>>): ComponentType<P> =>
  withTexts(set, lazyScreen(load as () => Promise<ComponentType>)) as ComponentType<P>;
