import type { FaultRecordRow } from '@sonnenwarte/contract/fault-records/fault-record';
import { detail, fetchRecords, refresh } from '@sonnenwarte/contract/fault-records/fault-records';
import { IconDownload, IconRefresh, IconWaveSine } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';
import { parseQuery } from '../router/query.ts';

const { leads, sends, table } = actionsOf<FaultRecordRow>();

/** What can be done with a fault record. It is opened beside the list as that stands. */
export const recordActions = table(
  'fault-records',
  { nameOf: ({ deviceSN, code }) => `${deviceSN} ${code}` },
  {
    open: leads(
      detail,
      ({ recordID }) => ({ to: 'fault-record', query: { ...parseQuery(location.search), record: recordID } }),
      { icon: IconWaveSine },
    ),
    fetch: sends(fetchRecords, ({ recordID }) => ({ ids: [recordID] }), { icon: IconDownload, can: 'ask' }),
    refresh: sends(refresh, ({ deviceID }) => ({ deviceID }), { icon: IconRefresh }),
  },
);
