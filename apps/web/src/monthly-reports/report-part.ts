import type { ComponentType } from 'react';
import { lazyPart } from '../with-texts.ts';
import type { ReportDialogProps } from './report-dialog.tsx';

/** The reports of the months of a plant, with their texts. */
export const ReportDialog: ComponentType<ReportDialogProps> = lazyPart(
  'monthly-report',
  async () => (await import('./report-dialog.tsx')).ReportDialog,
);
