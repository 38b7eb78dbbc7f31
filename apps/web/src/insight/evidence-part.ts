import type { ComponentType } from 'react';
import { lazyPart } from '../with-texts.ts';
import type { EvidenceProps } from './evidence-dialog.tsx';

/** The evidence of a plant's day; its code and texts come when it is opened. */
export const Evidence: ComponentType<EvidenceProps> = lazyPart(
  'evidence',
  async () => (await import('./evidence-dialog.tsx')).EvidenceDialog,
);
