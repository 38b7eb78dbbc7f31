import { type ReactNode, useEffect } from 'react';
import { awaitChunk } from '../client/chunk-failure.ts';

/** Stands in for what is being loaded, and sees to it that it does not stand for ever. */
export function ChunkWait({ children }: { children?: ReactNode }) {
  useEffect(awaitChunk, []);
  return children;
}
