import type { RouteName } from '@sonnenwarte/contract/routes';
import { useGlobalState } from '../state/global-state.ts';

/** Whether a screen is open to whoever is signed in, by level and code: an integrator reads devices, but no plants. */
export function useMayOpen(): (to: RouteName) => boolean {
  const open = useGlobalState((state) => state.menuCode);
  return (to) => open?.includes(to) ?? true;
}
