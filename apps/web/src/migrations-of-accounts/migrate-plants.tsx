import { type movePlants, owners, plantsPreview } from '@sonnenwarte/contract/migrations-of-accounts/plants';
import { organisationKinds } from '@sonnenwarte/contract/organisations/organisations';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { RecordField } from '../blocks/form/record-field.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { showNotice } from '../notices/notices.ts';
import { useOrganisationSource } from '../organisations/organisation-source.ts';
import styles from './migrations.module.css';
import { PlantMoves } from './plant-moves.tsx';

/** Plants that something is done with. */
interface ChosenPlants {
  readonly stationIDs: readonly string[];
  readonly name?: string;
}

/** Chosen plants come to another owner, another organisation, or both; what moves is shown before. */
export function MigratePlants({ row, of, onClose, onDone }: ActionProps<ChosenPlants, typeof movePlants>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const stationIDs = [...row.stationIDs];
  const organisations = useOrganisationSource({ kinds: organisationKinds.toReversed(), enabled: true });
  const form = useEndpointForm(of, {
    initialValues: { stationIDs, ownerID: '', organisationID: '', seen: '' },
    draft: false,
    prepare: (values) => ({ ...targetOf(values), stationIDs, seen: shown?.seen ?? '' }),
    onDone: ({ sites }) => {
      showNotice({
        id: 'moved',
        text: t('migrations-of-accounts.move.done', { number: format.number(sites) }),
        color: 'brand',
      });
      onDone();
      onClose();
    },
  });
  const target = targetOf({
    ownerID: String(form.valueOf('ownerID') ?? ''),
    organisationID: String(form.valueOf('organisationID') ?? ''),
  });
  const isChosen = Object.keys(target).length > 0;
  const preview = useQuery({
    ...read(plantsPreview, { stationIDs, ...target }),
    enabled: isChosen,
    staleTime: 0,
    gcTime: 0,
  });
  const shown = isChosen ? preview.data : undefined;
  const { failure } = form;
  const { refetch } = preview;
  useEffect(() => {
    if (failure !== undefined) void refetch();
  }, [failure, refetch]);
  /** Nothing moves before it was shown. */
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    event?.stopPropagation();
    if (shown !== undefined) await form.submit(event);
  };
  return (
    <FormDialog
      form={{ ...form, submit }}
      opened
      wide
      onClose={onClose}
      title={
        row.name === undefined
          ? t('migrations-of-accounts.move.titleMany', { number: format.number(stationIDs.length) })
          : t('migrations-of-accounts.move.titleOf', { name: row.name })
      }
      submitLabel={t('sites.action.migrate')}
    >
      <p>{t('migrations-of-accounts.move.meaning')}</p>
      <RecordField
        form={form}
        name="ownerID"
        label={t('migrations-of-accounts.move.owner')}
        source={{
          endpoint: owners,
          search: t('migrations-of-accounts.move.searchOwner'),
          none: t('migrations-of-accounts.move.noOwner'),
        }}
      />
      <RecordField
        form={form}
        name="organisationID"
        label={t('migrations-of-accounts.move.organisation')}
        source={organisations}
      />
      {isChosen && (
        <>
          <ReadState query={preview}>
            <Skeleton height="6rem" />
          </ReadState>
          {shown && (
            <div className={styles.moving} role="status">
              <PlantMoves plants={shown.sites} />
              {shown.staying > 0 && (
                <p>{t('migrations-of-accounts.move.staying', { number: format.number(shown.staying) })}</p>
              )}
              {shown.endingShares > 0 && (
                <p>{t('migrations-of-accounts.move.shares', { number: format.number(shown.endingShares) })}</p>
              )}
            </div>
          )}
        </>
      )}
    </FormDialog>
  );
}

const targetOf = ({ ownerID, organisationID }: { ownerID?: unknown; organisationID?: unknown }) => ({
  ...(typeof ownerID === 'string' && ownerID !== '' && { ownerID }),
  ...(typeof organisationID === 'string' && organisationID !== '' && { organisationID }),
});
