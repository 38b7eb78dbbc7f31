import { setUpState } from '@sonnenwarte/contract/accounts/own-account';
import type { Result } from '@sonnenwarte/contract/endpoint';
import { useEffect, useState } from 'react';
import { call } from '../client/call.ts';
import { takeArrived } from '../client/take-handed.ts';

type State = Result<typeof setUpState>;

/** Whether the portal still has to be set up, and whether it is a demonstration; `undefined` until known. */
export function useSetUpState(): State | undefined {
  const [early] = useState(() => takeArrived(setUpState, {}) as State | undefined);
  const [state, setState] = useState(early);
  useEffect(() => {
    if (early) return undefined;
    const leaving = new AbortController();
    call(setUpState, {}, { quiet: true, signal: leaving.signal }).then(setState, () => undefined);
    return () => leaving.abort();
  }, [early]);
  return state;
}
