import type { ComponentType } from 'react';
import { lazyPart } from '../with-texts.ts';
import type { DriftNoticeProps } from './drift-notice.tsx';

/** What a device has changed by itself, with the ways on. */
export const DriftPart: ComponentType<DriftNoticeProps> = lazyPart(
  'drift',
  async () => (await import('./drift-notice.tsx')).DriftNotice,
);
