import type { ComponentType } from 'react';
import { lazyPart } from '../with-texts.ts';
import type { AttentionProps } from './attention-panel.tsx';

/** What needs attention, ranked by what it costs. */
export const Attention: ComponentType<AttentionProps> = lazyPart(
  'attention',
  async () => (await import('./attention-panel.tsx')).AttentionPanel,
);
