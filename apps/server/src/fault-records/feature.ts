import { STORED_DAYS } from '@sonnenwarte/contract/fault-records/fault-record';
import { faultRecordEndpoints } from '@sonnenwarte/contract/fault-records/fault-records';
import { alarmName } from '../exports/alarm-name.ts';
import { pointName, unitText } from '../exports/point-name.ts';
import { featureOf } from '../feature.ts';
import type { Services } from '../services.ts';
import {
  devicesOf,
  downloadOf,
  fetchOf,
  listingOf,
  plantsOf,
  recordDetailOf,
  recordListOf,
  refreshOf,
} from './fault-records.service.ts';
import { forgetBefore } from './fetching.store.ts';

/** What inverters record around their faults: fetched from them, shown, compared, given as files. */
export const feature = featureOf(
  faultRecordEndpoints,
  {
    list: recordListOf,
    exportList: {
      find: recordListOf,
      own: {
        code: ({ code }, { language }) => `${code} ${alarmName(code, language)}`,
        trigger: ({ trigger, triggerValue, triggerLimit, triggerUnit }, { language }) =>
          trigger === ''
            ? ''
            : `${pointName({ name: trigger }, language)} ${triggerValue ?? ''} ${unitText(triggerUnit)} (${triggerLimit ?? ''})`,
        bytes: ({ bytes }) => bytes,
      },
    },
    detail: recordDetailOf,
    listing: listingOf,
    devices: devicesOf,
    plants: plantsOf,
    refresh: refreshOf,
    fetchRecords: fetchOf,
    download: downloadOf,
  },
  start,
);

const FORGET_AT = '40 4 * * *';
const FORGOTTEN_AT_ONCE = 500;

function start({ db, jobs, nowMs }: Services): void {
  jobs.every('faultRecords.forget', FORGET_AT, async (ending) => {
    const before = new Date(nowMs() - STORED_DAYS * 86_400_000);
    while (!ending.aborted && (await forgetBefore(db, before, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
  });
}
