import type { make } from '@sonnenwarte/contract/handover/handover';
import type { SiteRow } from '@sonnenwarte/contract/sites/site';
import type { ComponentType } from 'react';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { lazyPart } from '../with-texts.ts';

/** Name of the texts of the dialog and of its sheet, which may be in another language. */
export const HANDOVER_TEXTS = 'handover';

/** The dialog in which a plant is handed over, with texts of its own: whoever only looks at plants does not fetch them. */
export const HandoverDialog: ComponentType<ActionProps<SiteRow, typeof make>> = lazyPart(
  'handover',
  async () => (await import('./handover-dialog.tsx')).HandoverDialog,
);
