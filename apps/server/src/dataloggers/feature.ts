import { dataloggerEndpoints } from '@sonnenwarte/contract/dataloggers/dataloggers';
import { featureOf } from '../feature.ts';
import { dataloggerCounts, dataloggerList, dataloggerOf, dataloggerSignal } from './dataloggers.service.ts';
import { checkImport, importFrom } from './import.service.ts';
import {
  adoptDatalogger,
  bindDatalogger,
  deleteDatalogger,
  plantChoices,
  refuseDatalogger,
  renewPassword,
  unbindDatalogger,
} from './managing.service.ts';
import { restartDatalogger, rotatePassword } from './orders.service.ts';

/** Dataloggers: the list, one of them, and what is done with them. */
export const feature = featureOf(dataloggerEndpoints, {
  list: dataloggerList,
  exportList: { find: dataloggerList, own: {} },
  counts: dataloggerCounts,
  detail: dataloggerOf,
  signal: dataloggerSignal,
  importCheck: checkImport,
  importFile: importFrom,
  plants: plantChoices,
  bind: bindDatalogger,
  unbind: unbindDatalogger,
  remove: deleteDatalogger,
  refuse: refuseDatalogger,
  adopt: adoptDatalogger,
  renewPassword,
  restart: restartDatalogger,
  rotatePassword,
});
