import { LEVEL } from '@sonnenwarte/contract/levels';
import {
  add,
  detail,
  edit,
  move,
  type OrganisationRow,
  remove,
  renewSignUpCode,
  setEnabled,
} from '@sonnenwarte/contract/organisations/organisations';
import {
  IconArrowsMove,
  IconCircleCheck,
  IconCirclePlus,
  IconCircleX,
  IconKey,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';
import { viewsAs } from '../view-as/view-as-action.tsx';
import type { Above } from './add-organisation.tsx';

/** The level of those who lead an organisation of a kind. */
const levelOf = {
  platform: LEVEL.admin,
  installer: LEVEL.installer,
  agent: LEVEL.agent,
  distributor: LEVEL.distributor,
} as const;

const loadAdd = async () => (await import('./add-organisation.tsx')).AddOrganisation;

const adding = actionsOf<Above>();

export const organisationAdding = adding.table(
  'organisations',
  { nameOf: () => '' },
  { add: adding.opens(add, loadAdd, { icon: IconPlus }) },
);

const { opens, asks, table } = actionsOf<OrganisationRow>();

/** What can be done with an organisation. */
export const organisationActions = table(
  'organisations',
  { nameOf: ({ name }) => name },
  {
    edit: opens(edit, async () => (await import('./edit-organisation.tsx')).EditOrganisation, { icon: IconPencil }),
    add: opens(add, loadAdd, { icon: IconCirclePlus }),
    move: opens(move, async () => (await import('./move-organisation.tsx')).MoveOrganisation, { icon: IconArrowsMove }),
    code: opens(detail, async () => (await import('./sign-up-code.tsx')).SignUpCode, { icon: IconKey }),
    enable: asks(setEnabled, ({ id }) => ({ id, enabled: true }), {
      icon: IconCircleCheck,
      when: ({ state }) => state === 'disabled',
      can: 'setEnabled',
    }),
    disable: asks(setEnabled, ({ id }) => ({ id, enabled: false }), {
      icon: IconCircleX,
      grave: true,
      when: ({ state }) => state === 'enabled',
      can: 'setEnabled',
    }),
    // The platform's own sees all as it is.
    viewAs: viewsAs(({ id, name, kind }) => ({ kind: 'organisation', id, name, level: levelOf[kind] }), {
      when: ({ kind }) => kind !== 'platform',
    }),
    delete: opens(remove, async () => (await import('./delete-organisation.tsx')).DeleteOrganisation, {
      icon: IconTrash,
      danger: true,
    }),
  },
);

/** What can be done with its sign-up code. */
export const codeActions = table(
  'organisations',
  { nameOf: ({ name }) => name },
  { renewCode: asks(renewSignUpCode, ({ id }) => ({ id }), { can: 'edit' }) },
);
