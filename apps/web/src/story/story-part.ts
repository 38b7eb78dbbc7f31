import type { ComponentType } from 'react';
import { lazyPart } from '../with-texts.ts';

export interface StoryPanelProps {
  stationID: string;
  timeZone: string;
  /** A day within what is told first. */
  day: string;
}

/** A day, week or month of a plant in three sentences. */
export const StoryPanel: ComponentType<StoryPanelProps> = lazyPart(
  'story',
  async () => (await import('./story-panel.tsx')).StoryPanel,
);
