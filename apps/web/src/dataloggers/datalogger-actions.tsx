import type { DataloggerRow } from '@sonnenwarte/contract/dataloggers/dataloggers';
import {
  adopt,
  bind,
  importCheck,
  refuse,
  remove,
  renewPassword,
  restart,
  rotatePassword,
  unbind,
} from '@sonnenwarte/contract/dataloggers/managing';
import {
  IconBan,
  IconFileImport,
  IconKey,
  IconLink,
  IconLinkOff,
  IconLogin2,
  IconRefresh,
  IconRotateClockwise2,
  IconTrash,
} from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

/** Which datalogger is linked to which plant, as far as that is known. */
export interface Binding {
  readonly moduleSN?: string;
  readonly stationID?: string;
}

const adding = actionsOf<Binding>();

/** Above the list. */
export const dataloggerAdding = adding.table(
  'dataloggers',
  { nameOf: () => '' },
  {
    import: adding.opens(importCheck, async () => (await import('./import-dialog.tsx')).ImportDialog, {
      icon: IconFileImport,
    }),
    bind: adding.opens(bind, async () => (await import('./bind-form.tsx')).BindForm, { icon: IconLink }),
  },
);

const { asks, opens, table } = actionsOf<DataloggerRow>();
const ofIt = ({ moduleID }: DataloggerRow) => ({ moduleID });

/** What can be done with a datalogger. */
export const dataloggerActions = table(
  'dataloggers',
  { nameOf: ({ moduleSN }) => moduleSN },
  {
    adopt: opens(adopt, async () => (await import('./adopt-form.tsx')).AdoptForm, { icon: IconLogin2 }),
    bind: opens(bind, async () => (await import('./bind-form.tsx')).BindForm, { icon: IconLink }),
    renewPassword: opens(renewPassword, async () => (await import('./renew-password.tsx')).RenewPassword, {
      icon: IconKey,
    }),
    restart: asks(restart, ofIt, { icon: IconRefresh, grave: true }),
    rotate: asks(rotatePassword, ofIt, { icon: IconRotateClockwise2 }),
    unbind: asks(unbind, ofIt, { icon: IconLinkOff, grave: true }),
    refuse: asks(refuse, ofIt, { icon: IconBan, danger: true }),
    delete: opens(remove, async () => (await import('./delete-datalogger.tsx')).DeleteDatalogger, {
      icon: IconTrash,
      danger: true,
    }),
  },
);
