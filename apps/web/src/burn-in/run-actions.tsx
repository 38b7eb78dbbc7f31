import { abort, add, remove, runReport, start } from '@sonnenwarte/contract/burn-in/burn-in';
import type { RunRow } from '@sonnenwarte/contract/burn-in/rows';
import { IconFileTypePdf, IconPlayerPlay, IconPlayerStop, IconPlus, IconTrash } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

const adding = actionsOf<undefined>();

export const runAdding = adding.table(
  'burn-in',
  { nameOf: () => '' },
  { add: adding.opens(add, async () => (await import('./run-form.tsx')).RunForm, { icon: IconPlus }) },
);

const { opens, asks, table } = actionsOf<RunRow>();
const idOf = ({ runID }: RunRow) => ({ runID });

/** What can be done with a run. */
export const runActions = table(
  'burn-in',
  { nameOf: ({ number, rack }) => `#${number} ${rack}` },
  {
    start: asks(start, idOf, { icon: IconPlayerPlay }),
    abort: opens(abort, async () => (await import('./reason-forms.tsx')).AbortForm, {
      icon: IconPlayerStop,
      danger: true,
    }),
    report: opens(runReport, async () => (await import('./run-report.tsx')).RunReport, {
      icon: IconFileTypePdf,
      when: ({ state }) => state === 'finished' || state === 'aborted',
    }),
    remove: asks(remove, idOf, { icon: IconTrash, danger: true }),
  },
);
