import type { ComponentType } from 'react';
import { lazyPart } from '../with-texts.ts';
import type { DocumentsOfProps } from './documents-of.tsx';

/** The manuals of a device or datalogger with their texts, for its page. */
export const DocumentsOf: ComponentType<DocumentsOfProps> = lazyPart(
  'documents-of',
  async () => (await import('./documents-of.tsx')).DocumentsOf,
);
