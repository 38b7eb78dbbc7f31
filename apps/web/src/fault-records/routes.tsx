import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'fault-record': lazyScreen(async () => (await import('./fault-record-screen.tsx')).FaultRecordScreen),
};
