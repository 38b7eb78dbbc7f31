import type { RouteName } from '@sonnenwarte/contract/routes';
import { useMayOpen } from './use-may-open.ts';

/** The list of alarms that is open to whoever is signed in. */
export function useAlarmList(): RouteName {
  return useMayOpen()('alarm') ? 'alarm' : 'integrator-alarm';
}
