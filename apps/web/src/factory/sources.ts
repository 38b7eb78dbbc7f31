import { batchChoices } from '@sonnenwarte/contract/factory/batches';
import { manufacturerChoices } from '@sonnenwarte/contract/factory/manufacturers';
import { useTranslation } from 'react-i18next';
import type { RecordSource } from '../blocks/widgets/use-records.ts';

/** Manufacturers to choose from. */
export function useManufacturerSource(): RecordSource<typeof manufacturerChoices> {
  const { t } = useTranslation();
  return {
    endpoint: manufacturerChoices,
    input: {},
    search: t('factory.choose.manufacturer'),
    none: t('factory.choose.noManufacturer'),
  };
}

/** Batches to choose from. */
export function useBatchSource(): RecordSource<typeof batchChoices> {
  const { t } = useTranslation();
  return {
    endpoint: batchChoices,
    input: {},
    search: t('factory.choose.batch'),
    none: t('factory.choose.noBatch'),
  };
}
