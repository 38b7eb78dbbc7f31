import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'aging-inverter': lazyScreen(async () => (await import('./burn-in-screen.tsx')).BurnInScreen),
  'aging-alarm': lazyScreen(async () => (await import('./alarm-list-screen.tsx')).BurnInAlarmScreen),
  'aging-report': lazyScreen(async () => (await import('./report-screen.tsx')).BurnInReportScreen),
  'aging-inverter-detail': lazyScreen(async () => (await import('./unit-screen.tsx')).BurnInUnitScreen),
};
