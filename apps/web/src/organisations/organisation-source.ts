import { choices, type OrganisationKind, organisationKinds } from '@sonnenwarte/contract/organisations/organisations';
import { useTranslation } from 'react-i18next';
import type { RecordSource } from '../blocks/widgets/use-records.ts';

interface Wanted {
  /** In this order. */
  kinds?: readonly OrganisationKind[];
  /** Open ones alone. */
  enabled?: boolean;
  except?: string | null;
}

/** Organisations to choose from, with their kind and number beside the name. */
export function useOrganisationSource(wanted: Wanted = {}): RecordSource<typeof choices> {
  const { kinds = organisationKinds, enabled = false, except } = wanted;
  const { t } = useTranslation();
  return {
    endpoint: choices,
    input: {
      kinds: [...kinds],
      ...(enabled && { state: 'enabled' as const }),
    },
    except: except ?? undefined,
    search: t('organisations.record.search'),
    none: t('organisations.record.none'),
    detailOf: ({ kind, number, detail }) =>
      [`${t(`organisations.kind.${kind}`)} ${number}`, detail].filter((text) => text !== '').join(' · '),
  };
}
