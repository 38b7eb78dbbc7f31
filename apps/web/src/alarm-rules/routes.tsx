import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

export const screens: Screens = {
  'alarm-rules': lazyScreen(async () => (await import('./rule-list-screen.tsx')).RuleListScreen),
  'alarm-deliveries': lazyScreen(async () => (await import('./delivery-list-screen.tsx')).DeliveryListScreen),
};
