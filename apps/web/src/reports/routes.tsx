import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

const reports = lazyScreen(async () => (await import('./report-screen.tsx')).ReportScreen);

export const screens: Screens = {
  'data-report': reports,
  'integrator-data-report': reports,
};
