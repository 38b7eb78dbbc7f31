import type { Result } from '@sonnenwarte/contract/endpoint';
import { organisationKinds } from '@sonnenwarte/contract/organisations/organisations';
import { type AccountRow, type move, movePreview } from '@sonnenwarte/contract/user-management/user-management';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { RecordField } from '../blocks/form/record-field.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { useOrganisationSource } from '../organisations/organisation-source.ts';
import styles from './user-management.module.css';

const MOST_PLANTS = 20;

/** An end user comes to another organisation; what goes along is shown before. */
export function MoveAccount({ row, of, onClose }: ActionProps<AccountRow, typeof move>): ReactNode {
  const { t } = useTranslation();
  const { id, user } = row;
  const [chosen, setChosen] = useState('');
  // Installers first.
  const source = useOrganisationSource({
    kinds: organisationKinds.toReversed(),
    enabled: true,
    except: row.organisationID,
  });
  const preview = useQuery({
    ...read(movePreview, { id, organisationID: chosen }),
    enabled: chosen !== '',
    staleTime: 0,
    gcTime: 0,
  });
  const shown = chosen === '' ? undefined : preview.data;
  const form = useEndpointForm(of, {
    initialValues: { id, organisationID: '' },
    draft: false,
    prepare: (values) => ({ ...values, expectedSites: shown?.sites.length }),
    reasons: { organisationID: { required: t('user-management.add.organisation') } },
    onDone: onClose,
  });
  const { failure } = form;
  const { refetch } = preview;
  useEffect(() => {
    if (failure !== undefined) void refetch();
  }, [failure, refetch]);
  /** Nothing is moved before it was shown what goes along. */
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    event?.stopPropagation();
    if (chosen === '' || shown !== undefined) await form.submit(event);
  };
  return (
    <FormDialog
      form={{ ...form, submit }}
      opened
      onClose={onClose}
      title={t('user-management.move.title', { user })}
      submitLabel={t('user-management.move.submit')}
    >
      <p>{t('user-management.move.meaning')}</p>
      <RecordField
        form={form}
        name="organisationID"
        label={t('user-management.move.to')}
        source={source}
        required
        onChosen={(organisation) => setChosen(organisation?.id ?? '')}
      />
      {chosen !== '' && preview.error && <ErrorNotice error={preview.error} retry={() => void refetch()} />}
      {chosen !== '' && preview.isPending && (
        <LoadingSkeleton>
          <Skeleton height="6rem" />
        </LoadingSkeleton>
      )}
      {shown !== undefined && <Following preview={shown} />}
    </FormDialog>
  );
}

/** The plants that go along, and how many stay behind. */
function Following({ preview }: { preview: Result<typeof movePreview> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { sites, staying } = preview;
  return (
    <div className={styles.stack} role="status">
      <p className={styles.text}>
        {sites.length > 0
          ? t('user-management.move.sites', { count: sites.length })
          : t('user-management.move.noSites')}
      </p>
      {sites.length > 0 && (
        <ul className={styles.lines}>
          {sites.slice(0, MOST_PLANTS).map(({ stationID, name, city, devices, dataloggers }) => (
            <li key={stationID} className={styles.plant}>
              <strong>{[name, city].filter((text) => text !== '').join(', ')}</strong>
              <span className={styles.count}>
                {t('user-management.move.hanging', {
                  devices: format.number(devices),
                  dataloggers: format.number(dataloggers),
                })}
              </span>
            </li>
          ))}
          {sites.length > MOST_PLANTS && (
            <li className={styles.count}>
              {t('user-management.move.more', { number: format.number(sites.length - MOST_PLANTS) })}
            </li>
          )}
        </ul>
      )}
      {staying > 0 && <p className={styles.text}>{t('user-management.move.staying', { count: staying })}</p>}
    </div>
  );
}
