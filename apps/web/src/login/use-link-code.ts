import { useEffect, useState } from 'react';
import { codeOf } from './link-code.ts';

/** Tells the code of each link that is opened on the page that is already there; the answer ends it. */
export function followCodes(tell: (code: string) => void): () => void {
  const follow = () => tell(codeOf(location.hash));
  addEventListener('hashchange', follow);
  return () => removeEventListener('hashchange', follow);
}

/** The code of the one-time link that was opened last. */
export function useLinkCode(): string {
  const [code, setCode] = useState(() => codeOf(location.hash));
  useEffect(() => followCodes(setCode), []);
  return code;
}
