import { LEVEL } from '@sonnenwarte/contract/levels';
import type { ReportRow, ScheduleRow } from '@sonnenwarte/contract/reports/report';
import {
  cancel,
  create,
  remove,
  retry,
  scheduleEdit,
  schedulePause,
  scheduleRemove,
} from '@sonnenwarte/contract/reports/reports';
import {
  IconCopy,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';
import { globalState } from '../state/global-state.ts';

const report = actionsOf<ReportRow>();
const ids = ({ reportID }: ReportRow) => ({ ids: [reportID] });

const route = () => (globalState.get().access === LEVEL.integrator ? 'integrator-data-report' : 'data-report');

/** What can be done with a report. */
export const reportActions = report.table(
  'reports',
  { nameOf: ({ name }) => name },
  {
    again: report.leads(create, ({ reportID }) => ({ to: route(), query: { template: reportID } }), { icon: IconCopy }),
    cancel: report.sends(cancel, ids, { icon: IconPlayerStop }),
    retry: report.sends(retry, ({ reportID }) => ({ id: reportID }), { icon: IconRefresh }),
    remove: report.asks(remove, ids, { icon: IconTrash, danger: true }),
  },
);

const schedule = actionsOf<ScheduleRow>();
const id = ({ scheduleID }: ScheduleRow) => ({ id: scheduleID });

/** What can be done with a schedule. */
export const scheduleActions = schedule.table(
  'reports.schedules',
  { nameOf: ({ name }) => name },
  {
    edit: schedule.opens(scheduleEdit, async () => (await import('./edit-schedule.tsx')).EditSchedule, {
      icon: IconPencil,
    }),
    pause: schedule.sends(schedulePause, (row) => ({ ...id(row), isPaused: true }), { icon: IconPlayerPause }),
    resume: schedule.sends(schedulePause, (row) => ({ ...id(row), isPaused: false }), { icon: IconPlayerPlay }),
    remove: schedule.asks(scheduleRemove, id, { icon: IconTrash, danger: true }),
  },
);
