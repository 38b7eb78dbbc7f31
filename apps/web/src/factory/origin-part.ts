import type { ComponentType } from 'react';
import { lazyPart } from '../with-texts.ts';
import type { OriginOfProps } from './origin-of.tsx';

/** The warranty and the batch of a device or a datalogger with their texts, for its page. */
export const OriginPart: ComponentType<OriginOfProps> = lazyPart(
  'origin-of',
  async () => (await import('./origin-of.tsx')).OriginOf,
);
