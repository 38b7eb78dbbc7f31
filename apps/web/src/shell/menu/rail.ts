import { useIsNarrow } from '../../blocks/show/use-is-phone.ts';
import { setCollapse, useGlobalState } from '../../state/global-state.ts';
import { createStore, useStore } from '../../state/store.ts';

/** In a narrow window the whole menu is shown for once; the account's own choice is that of wide ones. */
const widened = createStore<{ widened: boolean }>({ widened: false });

/** Whether the menu is a rail of icons, and how to change that. */
export function useRail(): { rail: boolean; toggle: () => void } {
  const narrow = useIsNarrow();
  const collapse = useGlobalState((state) => state.collapse);
  const wide = useStore(widened, (state) => state.widened);
  return narrow
    ? { rail: !wide, toggle: () => widened.set({ widened: !wide }) }
    : { rail: collapse, toggle: () => setCollapse(!collapse) };
}
