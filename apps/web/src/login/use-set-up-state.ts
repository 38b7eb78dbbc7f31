import { setUpState } from '@sonnenwarte/contract/accounts/accounts';
import type { Result } from '@sonnenwarte/contract/endpoint';
import { useEffect, useState } from 'react';
import { call } from '../client/call.ts';

/** Whether the portal still has to be set up, and whether it is a demonstration; `undefined` until known. */
export function useSetUpState(): Result<typeof setUpState> | undefined {
  const [state, setState] = useState<Result<typeof setUpState>>();
  useEffect(() => {
    const leaving = new AbortController();
    call(setUpState, {}, { quiet: true, signal: leaving.signal }).then(setState, () => undefined);
    return () => leaving.abort();
  }, []);
  return state;
}
