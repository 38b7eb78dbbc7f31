import type { ComponentType } from 'react';
import { lazyPart } from '../with-texts.ts';
import type { CommandPanelProps } from './command-panel.tsx';

/** The command that is under way to a device or datalogger, step by step. */
export const CommandPart: ComponentType<CommandPanelProps> = lazyPart(
  'command',
  async () => (await import('./command-panel.tsx')).CommandPanel,
);
