import { countries } from '@sonnenwarte/contract/map/countries';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../client/call.ts';
import { cachedInSession, countriesKey } from '../../client/session-cache.ts';
import { useFormat } from '../../format/use-format.ts';

/** Countries by their name in the user's language, in its order. */
export function useCountryChoices(): readonly { value: string; label: string }[] {
  const format = useFormat();
  const known = useQuery({
    queryKey: ['map', countriesKey(format.language)],
    queryFn: () => cachedInSession(countriesKey(format.language), () => call(countries, {})),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return useMemo(
    () =>
      (known.data?.countries ?? [])
        .map(({ code, name }) => {
          const label = format.country(code);
          return { value: code, label: label === code ? name : label };
        })
        .sort((a, b) => a.label.localeCompare(b.label, format.locale)),
    [known.data, format],
  );
}
