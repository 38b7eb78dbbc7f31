import { siteFormEndpoints } from '@sonnenwarte/contract/site-form/site-form';
import { checkModules } from '../datalogger-keys/claims.service.ts';
import { forgetOldKeyFailures } from '../datalogger-keys/datalogger-keys.store.ts';
import { featureOf } from '../feature.ts';
import type { Uses } from '../services.ts';
import { addSite, dropTariff, editSite, formOf, linkSite } from './site-form.service.ts';

/** Plants are made and changed, and dataloggers linked to them. */
export const feature = featureOf(
  siteFormEndpoints,
  { add: addSite, linkSn: linkSite, form: formOf, edit: editSite, checkModules, dropTariff },
  ({ db, jobs }: Uses<'db' | 'jobs'>) => {
    jobs.every('site-form.forgetKeyFailures', '29 * * * *', async () => {
      await forgetOldKeyFailures(db);
    });
  },
);
