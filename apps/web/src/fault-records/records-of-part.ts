import type { ComponentType } from 'react';
import { lazyPart } from '../with-texts.ts';
import type { RecordsOfProps } from './records-of.tsx';

/** The fault records of an alarm with their texts, for its page. */
export const RecordsOf: ComponentType<RecordsOfProps> = lazyPart(
  'records-of',
  async () => (await import('./records-of.tsx')).RecordsOf,
);
