import { lazyPart } from '../with-texts.ts';

/** The counts of alarms with their texts, for the home screen: neither its first page nor its texts grow by them. */
export const HomeAlarms = lazyPart('home-alarms', async () => (await import('./home-alarms.tsx')).HomeAlarms);
