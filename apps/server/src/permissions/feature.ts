import { permissionEndpoints } from '@sonnenwarte/contract/permissions/permissions';
import { featureOf } from '../feature.ts';
import { permissionsOf } from './permissions.service.ts';

/** What a session may do. */
export const feature = featureOf(permissionEndpoints, { ownPermissions: permissionsOf });
