import type { RouteName } from '@sonnenwarte/contract/routes';
import type { State } from '@sonnenwarte/contract/status';
import type { TablerIcon } from '@tabler/icons-react';
import type { Query } from '../router/query.ts';
import type { Kind } from './wish.ts';

/** A row of the palette: something to open, or something to do. */
export interface PaletteRow {
  key: string;
  icon: TablerIcon;
  name: string;
  /** Stands behind the name and is never marked. */
  sort?: string;
  /** Why it matters. */
  line: string;
  state?: State;
  value?: { label: string; text: string };
  target: { to: RouteName; query?: Query; title?: string } | { act: () => void };
}

export interface PaletteGroup {
  kind: Kind;
  title: string;
  rows: readonly PaletteRow[];
  /** There are others that only this kind alone would show. */
  more: boolean;
}
