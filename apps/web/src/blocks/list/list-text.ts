import type { ListEndpoint } from '@sonnenwarte/contract/endpoint';
import type { ChoiceField } from '@sonnenwarte/contract/kinds';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';

type Sentence = 'title' | 'search' | 'empty' | 'noMatch';

/** Where the texts of a list stand: with its feature, unless it says otherwise. */
export const textsOf = ({ feature, list }: ListEndpoint): string => list.texts ?? feature;

/** Texts of a list by the names of its feature, fields and choices; that each of them is there is held by a test. */
export function useListText() {
  const { t } = useTranslation();
  const sentence = useCallback(
    (list: ListEndpoint, which: Sentence) => t(`${textsOf(list)}.list.${which}` as 'sites.list.title'),
    [t],
  );
  const label = useCallback(
    (list: ListEndpoint, field: string) => t(`${textsOf(list)}.field.${field}` as 'sites.field.name'),
    [t],
  );
  const choice = useCallback(
    ({ phrases }: ChoiceField, value: string | number) => t(`${phrases}.${value}` as 'sites.type.1'),
    [t],
  );
  return useMemo(() => ({ sentence, label, choice }), [sentence, label, choice]);
}
