import type { DataloggerRow } from '@sonnenwarte/contract/dataloggers/dataloggers';
import { type Adopted, type adopt, plants } from '@sonnenwarte/contract/dataloggers/managing';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { CheckField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { RecordField } from '../blocks/form/record-field.tsx';
import { useOrganisationSource } from '../organisations/organisation-source.ts';
import { PasswordShown } from './password-shown.tsx';
import { usePlantSource } from './plant-source.ts';

/** Lets a datalogger out of quarantine, to an organisation and one of its plants. */
export function AdoptForm({ row, of, onClose, onDone, words }: ActionProps<DataloggerRow, typeof adopt>): ReactNode {
  const { t } = useTranslation();
  const [given, setGiven] = useState<Adopted>();
  const [organisationID, setOrganisation] = useState('');
  const organisations = useOrganisationSource({ enabled: true });
  const plantsOfIt = usePlantSource(plants, organisationID);
  const form = useEndpointForm(of, {
    initialValues: { moduleID: row.moduleID, organisationID: '', stationID: '', newPassword: true },
    draft: false,
    prepare: ({ stationID, ...values }) => ({ ...values, ...(stationID !== '' && { stationID }) }),
    onDone: (result) => {
      if (result.password !== null) return setGiven(result);
      onDone();
      onClose();
    },
  });
  if (given?.password != null) {
    return <PasswordShown given={{ ...given, password: given.password }} onClose={onClose} />;
  }
  return (
    <FormDialog
      form={form}
      title={`${words.label}: ${row.moduleSN}`}
      opened
      onClose={onClose}
      submitLabel={words.label}
    >
      <p>{t('dataloggers.adopt.meaning')}</p>
      <RecordField
        form={form}
        name="organisationID"
        source={organisations}
        required
        onChosen={(organisation) => {
          setOrganisation(organisation?.id ?? '');
          form.setValue('stationID', '');
        }}
      />
      {organisationID !== '' && <RecordField form={form} name="stationID" source={plantsOfIt} required={false} />}
      <CheckField form={form} name="newPassword" description={t('dataloggers.adopt.newPasswordHint')} />
    </FormDialog>
  );
}
