import { lazyComponent } from '../lazy-screen.ts';

/** What lies below the first screen of an owner's home; its code comes with the first look at it. */
export const OwnerPast = lazyComponent(async () => (await import('./owner-past.tsx')).OwnerPast);
