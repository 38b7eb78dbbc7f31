import { lazyPart } from '../with-texts.ts';

/** What a home shows before there are plants, with texts of its own: few see it, and once. */
export const Welcome = lazyPart('welcome', async () => (await import('./welcome.tsx')).Welcome);
export const FirstPlant = lazyPart('welcome', async () => (await import('./first-plant.tsx')).FirstPlant);
