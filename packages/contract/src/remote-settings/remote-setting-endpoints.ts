import { groupEndpoints } from './group-remote.ts';
import { settingsEndpoints } from './remote-settings.ts';

/** Settings of one device, and of many. */
export const remoteSettingEndpoints = { ...settingsEndpoints, ...groupEndpoints };
