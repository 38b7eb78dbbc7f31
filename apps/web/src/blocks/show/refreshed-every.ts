import { createContext } from 'react';

/** Pause, ms, after which what is shown is asked for again; 0 where it is pushed. */
export const RefreshedEvery = createContext(0);
