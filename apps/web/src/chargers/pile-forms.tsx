import { type add, type edit, type Pile, type PileAccess, pilePhases } from '@sonnenwarte/contract/chargers/chargers';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { type EndpointForm, useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField, TextField } from '../blocks/form/fields.tsx';
import { FieldRow } from '../blocks/form/form.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { NumberField } from '../blocks/form/number-field.tsx';
import { PileAccessShown } from './pile-access.tsx';

interface Described {
  name: string;
  ratedPowerW: number | string;
  phases: Pile['phases'];
  mostCurrentA: number | string;
}

/** Adds a pile, then shows what is entered at it. */
export function PileAddForm({ row, of, onClose, words }: ActionProps<{ stationID: string }, typeof add>): ReactNode {
  const { t } = useTranslation();
  const [access, setAccess] = useState<PileAccess>();
  const form = useEndpointForm(of, {
    initialValues: {
      stationID: row.stationID,
      name: '',
      deviceSN: '',
      ratedPowerW: 11_000,
      phases: 'three',
      mostCurrentA: 16,
    } as Described & { stationID: string; deviceSN: string },
    draft: row.stationID,
    onDone: (result) => setAccess(result),
  });
  if (access !== undefined) return <PileAccessShown access={access} onClose={onClose} />;
  return (
    <FormDialog form={form} title={words.label} opened onClose={onClose} submitLabel={words.label}>
      <p>{t('chargers.addLead')}</p>
      <TextField form={form} name="deviceSN" description={t('chargers.snHint')} />
      <DescribedFields form={form} />
    </FormDialog>
  );
}

export function PileEditForm({ row, of, onClose, onDone, words }: ActionProps<Pile, typeof edit>): ReactNode {
  const { t } = useTranslation();
  const { deviceID, name, ratedPowerW, phases, mostCurrentA } = row;
  const form = useEndpointForm(of, {
    initialValues: { deviceID, name, ratedPowerW, phases, mostCurrentA } as Described & { deviceID: string },
    draft: deviceID,
    onDone: () => {
      onDone();
      onClose();
    },
  });
  return (
    <FormDialog form={form} title={words.label} opened onClose={onClose} submitLabel={t('chargers.save')}>
      <DescribedFields form={form} />
    </FormDialog>
  );
}

function DescribedFields<V extends Described>({ form }: { form: EndpointForm<V, 'chargers'> }): ReactNode {
  const { t } = useTranslation();
  const known = form as unknown as EndpointForm<Described, 'chargers'>;
  return (
    <>
      <TextField form={known} name="name" />
      <FieldRow>
        <NumberField form={known} name="ratedPowerW" unit="kW" holds={1_000} />
        <NumberField form={known} name="mostCurrentA" unit="A" integer />
      </FieldRow>
      <SelectField
        form={known}
        name="phases"
        required
        options={pilePhases.options.map((value) => ({ value, label: t(`chargers.phases.${value}`) }))}
      />
    </>
  );
}
