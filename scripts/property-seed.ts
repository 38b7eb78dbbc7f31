import fc from 'fast-check';

/**
 * Properties try the same cases in every run of `npm test`, so that a change is judged by what it changes; `npm run test:long`
 * and `PROPERTY_SEED=… npm test` try others.
 */
const USUAL_SEED = 20_261_122;

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? USUAL_SEED) });
