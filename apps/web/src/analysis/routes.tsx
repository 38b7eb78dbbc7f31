import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  analysis: lazyScreen(async () => (await import('./analysis-screen.tsx')).AnalysisScreen),
};
