import { type OrganisationKind, type OrganisationNode, tree } from '@sonnenwarte/contract/organisations/organisations';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { read } from '../client/queries.ts';

/** The organisations in scope, parents before children; none while they are loaded. */
export function useOrganisations(): readonly OrganisationNode[] {
  return useQuery(read(tree, {}, { inPlace: false })).data?.organisations ?? [];
}

/** Organisations of some kinds to choose from, with their kind and number beside the name. */
export function useParentChoices(): (kinds: readonly OrganisationKind[]) => { value: string; label: string }[] {
  const { t } = useTranslation();
  const organisations = useOrganisations();
  return useCallback(
    (kinds) =>
      kinds.flatMap((kind) =>
        organisations
          .filter((node) => node.kind === kind)
          .map(({ id, name, number }) => ({
            value: id,
            label: `${name} (${t(`organisations.kind.${kind}`)} ${number})`,
          })),
      ),
    [organisations, t],
  );
}
