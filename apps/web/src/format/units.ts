import { createStore, useStore } from '../state/store.ts';

/** Units in which temperatures are shown; energy and power are metric everywhere. */
export type Units = 'metric' | 'imperial';

const chosen = createStore<{ units: Units }>({ units: 'metric' });

export const setUnits = (units: Units): void => chosen.set({ units });

export const useUnits = (): Units => useStore(chosen, ({ units }) => units);
