import { commandEndpoints } from '@sonnenwarte/contract/commands/commands';
import { featureOf } from '../feature.ts';
import { commandInfo, commandList } from './commands.service.ts';

/** Commands to devices and dataloggers: what was ordered, and how it went. */
export const feature = featureOf(commandEndpoints, { list: commandList, info: commandInfo });
