import { add, edit, enable, leave, type RuleRow, remove, test } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import {
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconSend,
  IconTrash,
  IconUserMinus,
} from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

const adding = actionsOf<undefined>();

export const ruleAdding = adding.table(
  'alarm-rules',
  { nameOf: () => '' },
  { add: adding.opens(add, async () => (await import('./rule-form.tsx')).RuleAddForm, { icon: IconPlus }) },
);

const { opens, sends, asks, table } = actionsOf<RuleRow>();

/** What can be done with a rule. */
export const ruleActions = table(
  'alarm-rules',
  { nameOf: ({ name, keeper }) => name || keeper },
  {
    edit: opens(edit, async () => (await import('./rule-form.tsx')).RuleEditForm, { icon: IconPencil }),
    test: opens(test, async () => (await import('./try-dialog.tsx')).TryDialog, { icon: IconSend }),
    enable: sends(enable, ({ ruleID }) => ({ ruleID, enabled: true }), {
      icon: IconPlayerPlay,
      can: 'edit',
      when: ({ enabled }) => !enabled,
    }),
    disable: sends(enable, ({ ruleID }) => ({ ruleID, enabled: false }), {
      icon: IconPlayerPause,
      can: 'edit',
      when: ({ enabled }) => enabled,
    }),
    leave: asks(leave, ({ ruleID }) => ({ ruleID }), { icon: IconUserMinus }),
    delete: asks(remove, ({ ruleID }) => ({ ruleID }), { icon: IconTrash, danger: true, can: 'edit' }),
  },
);
