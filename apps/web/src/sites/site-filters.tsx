import { siteContentType } from '@sonnenwarte/contract/sites/site-condition';
import type { list } from '@sonnenwarte/contract/sites/sites';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldFilter, ListSearch, SearchInFilter, SelectFilter } from '../blocks/list/filters.tsx';
import type { FilteredList } from '../blocks/list/use-list.ts';

/** The filters of plants, for the list as for the map. */
export function SiteFilters({ list: plants }: { list: FilteredList<typeof list> }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <ListSearch list={plants} />
      <SearchInFilter list={plants} choices={siteContentType} />
      <FieldFilter list={plants} field="state" />
      <FieldFilter list={plants} field="type" />
      <FieldFilter list={plants} field="country" />
      <SelectFilter
        list={plants}
        field="placed"
        label={t('sites.placed.label')}
        options={[
          { value: 'yes', label: t('sites.placed.yes') },
          { value: 'no', label: t('sites.placed.no') },
        ]}
      />
    </>
  );
}
