import type { plants } from '@sonnenwarte/contract/dataloggers/managing';
import { useTranslation } from 'react-i18next';
import type { RecordSource } from '../blocks/widgets/use-records.ts';

/** Plants to which a datalogger can be linked, of one organisation where that is named. */
export function usePlantSource(endpoint: typeof plants, organisationID = ''): RecordSource<typeof plants> {
  const { t } = useTranslation();
  return {
    endpoint,
    input: organisationID === '' ? {} : { organisationID },
    search: t('dataloggers.plant.search'),
    none: t('dataloggers.plant.none'),
  };
}
