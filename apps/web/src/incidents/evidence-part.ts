import type { ComponentType } from 'react';
import { lazyPart } from '../with-texts.ts';
import type { EvidenceProps } from './evidence-chart.tsx';

/** The curves that show what an incident is about; code and names of points come with them. */
export const EvidencePart: ComponentType<EvidenceProps> = lazyPart(
  'incident-evidence',
  async () => (await import('./evidence-chart.tsx')).EvidenceChart,
);
