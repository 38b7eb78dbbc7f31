import { siteContentType } from '@sonnenwarte/contract/sites/site-condition';
import { countriesOfSites } from '@sonnenwarte/contract/sites/site-places';
import type { list } from '@sonnenwarte/contract/sites/sites';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldFilter, ListSearch, SearchInFilter, SelectFilter } from '../blocks/list/filters.tsx';
import type { FilteredList } from '../blocks/list/use-list.ts';
import { read } from '../client/queries.ts';

const COUNTRIES_FRESH_MS = 3_600_000;

/** The filters of plants, for the list as for the map. */
export function SiteFilters({ list: plants }: { list: FilteredList<typeof list> }): ReactNode {
  const { t } = useTranslation();
  const chosen = plants.value.condition?.country;
  const { data: known } = useQuery({ ...read(countriesOfSites, {}), staleTime: COUNTRIES_FRESH_MS });
  // One that an address names is shown, whether there is a plant or not.
  const countries = known && [...known.countries, ...(chosen === undefined ? [] : [chosen])];
  return (
    <>
      <ListSearch list={plants} />
      <SearchInFilter list={plants} choices={siteContentType} />
      <FieldFilter list={plants} field="state" />
      <FieldFilter list={plants} field="type" />
      <FieldFilter list={plants} field="country" {...(countries && { among: countries })} />
      <SelectFilter
        list={plants}
        field="placed"
        label={t('sites.placed.label')}
        options={[
          { value: 'yes', label: t('sites.placed.yes') },
          { value: 'no', label: t('sites.placed.no') },
        ]}
      />
      <SelectFilter
        list={plants}
        field="losing"
        label={t('sites.losing.label')}
        options={[
          { value: 'yes', label: t('sites.losing.yes') },
          { value: 'no', label: t('sites.losing.no') },
        ]}
      />
    </>
  );
}
