import type { WorkOrderRow } from '@sonnenwarte/contract/work-orders/work-order';
import {
  assign,
  begin,
  close,
  handDown,
  handUp,
  rate,
  reopen,
  solve,
  wait,
} from '@sonnenwarte/contract/work-orders/work-orders';
import {
  IconArrowDown,
  IconArrowUp,
  IconCheck,
  IconCircleCheck,
  IconClockPause,
  IconClockPlay,
  IconHandGrab,
  IconRotate,
  IconStar,
  IconUserMinus,
  IconUserPlus,
} from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

const { opens, asks, sends, table } = actionsOf<WorkOrderRow>();

const idOf = ({ orderID }: WorkOrderRow) => ({ id: orderID });

/** What can be done with a work order. */
export const orderActions = table(
  'work-orders',
  { nameOf: ({ number }) => number },
  {
    solve: opens(solve, async () => (await import('./text-forms.tsx')).SolveForm, { icon: IconCheck, can: 'solve' }),
    begin: sends(begin, idOf, { icon: IconHandGrab, can: 'begin' }),
    assign: opens(assign, async () => (await import('./assign-form.tsx')).AssignForm, {
      icon: IconUserPlus,
      can: 'work',
    }),
    unassign: sends(assign, (row) => ({ ...idOf(row), accountID: null }), {
      icon: IconUserMinus,
      can: 'work',
      when: ({ assigneeID }) => assigneeID !== '',
    }),
    handUp: opens(handUp, async () => (await import('./hand-forms.tsx')).HandUpForm, {
      icon: IconArrowUp,
      can: 'handUp',
    }),
    handDown: opens(handDown, async () => (await import('./hand-forms.tsx')).HandDownForm, {
      icon: IconArrowDown,
      can: 'handDown',
    }),
    wait: sends(wait, (row) => ({ ...idOf(row), waits: true }), {
      icon: IconClockPause,
      can: 'work',
      when: ({ isWaiting, isOwn }) => !isWaiting && !isOwn,
    }),
    resume: sends(wait, (row) => ({ ...idOf(row), waits: false }), {
      icon: IconClockPlay,
      can: 'work',
      when: ({ isWaiting }) => isWaiting,
    }),
    rate: opens(rate, async () => (await import('./rate-form.tsx')).RateForm, { icon: IconStar, can: 'rate' }),
    reopen: opens(reopen, async () => (await import('./text-forms.tsx')).ReopenForm, {
      icon: IconRotate,
      can: 'reopen',
    }),
    close: asks(close, idOf, { icon: IconCircleCheck, can: 'close' }),
  },
);
