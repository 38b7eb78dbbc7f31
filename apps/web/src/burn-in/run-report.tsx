import { runReport } from '@sonnenwarte/contract/burn-in/burn-in';
import type { RunRow } from '@sonnenwarte/contract/burn-in/rows';
import type { ReactNode } from 'react';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { PdfDialog } from './pdf-dialog.tsx';

/** The report of a run that is over. */
export function RunReport({ row, words, onClose }: ActionProps<RunRow, typeof runReport>): ReactNode {
  return (
    <PdfDialog
      title={`${words.label}: ${words.name}`}
      endpoint={runReport}
      input={{ runID: row.runID }}
      onClose={onClose}
    />
  );
}
