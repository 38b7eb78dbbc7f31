import { type ApiKey, create, revoke } from '@sonnenwarte/contract/api-keys/api-keys';
import { IconPlus } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

const making = actionsOf<undefined>();

export const keyMaking = making.table(
  'api-keys',
  { nameOf: () => '' },
  { create: making.opens(create, async () => (await import('./api-key-form.tsx')).ApiKeyForm, { icon: IconPlus }) },
);

const { asks, table } = actionsOf<ApiKey>();

/** What can be done with an API key. */
export const keyActions = table(
  'api-keys',
  { nameOf: ({ name }) => name },
  { revoke: asks(revoke, ({ id }) => ({ id }), { grave: true }) },
);
