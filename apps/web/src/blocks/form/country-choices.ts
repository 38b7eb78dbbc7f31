import type { Result } from '@sonnenwarte/contract/endpoint';
import { countries } from '@sonnenwarte/contract/map/countries';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../client/call.ts';
import { cachedInSession, countriesKey } from '../../client/session-cache.ts';
import { useFormat } from '../../format/use-format.ts';

type Country = Result<typeof countries>['countries'][number];

const none: readonly Country[] = [];

/** All countries with their currencies; none before they are known. */
export function useCountries(): readonly Country[] {
  const { language } = useFormat();
  const known = useQuery({
    queryKey: ['map', countriesKey(language)],
    queryFn: () => cachedInSession(countriesKey(language), () => call(countries, {})),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return known.data?.countries ?? none;
}

/** Countries by their name in the user's language, in its order. */
export function useCountryChoices(): readonly { value: string; label: string }[] {
  const format = useFormat();
  const all = useCountries();
  return useMemo(
    () =>
      all
        .map(({ code, name }) => {
          const label = format.country(code);
          return { value: code, label: label === code ? name : label };
        })
        .sort((a, b) => a.label.localeCompare(b.label, format.locale)),
    [all, format],
  );
}
