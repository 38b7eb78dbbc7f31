import { installTrendEndpoints } from '@sonnenwarte/contract/install-trend/install-trend';
import { featureOf } from '../feature.ts';
import { installationList, installationTrend } from './install-trend.service.ts';

/** How the fleet grew. */
export const feature = featureOf(installTrendEndpoints, {
  trend: installationTrend,
  list: installationList,
  exportList: {
    find: installationList,
    own: {
      group: ({ by, group }, { country, text }) => {
        if (by === 'country') return country(group);
        return by === 'type' ? text(`sites.type.${group as '1'}`) : group;
      },
    },
  },
});
