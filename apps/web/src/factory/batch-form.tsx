import type { BatchRow, batchAdd, batchEdit } from '@sonnenwarte/contract/factory/batches';
import { type UnitKind, unitKinds } from '@sonnenwarte/contract/factory/factory-words';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { DateField } from '../blocks/form/date-field.tsx';
import { type EndpointForm, useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField, TextAreaField, TextField } from '../blocks/form/fields.tsx';
import { FieldRow } from '../blocks/form/form.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { RecordField } from '../blocks/form/record-field.tsx';
import { useManufacturerSource } from './sources.ts';

/** A batch as it is typed. */
interface BatchValues {
  manufacturerID: string;
  number: string;
  kind: UnitKind | '';
  model: string;
  firmware: string;
  madeOn: string;
  deliveredOn: string;
  note: string;
}

const fresh: BatchValues = {
  manufacturerID: '',
  number: '',
  kind: '',
  model: '',
  firmware: '',
  madeOn: '',
  deliveredOn: '',
  note: '',
};

const sentOf = ({ madeOn, deliveredOn, ...others }: BatchValues) => ({
  ...others,
  madeOn: madeOn === '' ? null : madeOn,
  deliveredOn: deliveredOn === '' ? null : deliveredOn,
});

/** Days in the order in which they can only come. */
function useChecked() {
  const { t } = useTranslation();
  const text = t('factory.batches.dayOrder');
  return {
    check: ({ madeOn, deliveredOn }: BatchValues) =>
      madeOn !== '' && deliveredOn !== '' && deliveredOn < madeOn ? { deliveredOn: text } : {},
    reasons: { deliveredOn: { wrong: text }, madeOn: { wrong: text } },
  };
}

export function BatchAddForm({ of, onClose, words }: ActionProps<undefined, typeof batchAdd>): ReactNode {
  const checked = useChecked();
  const form = useEndpointForm(of, {
    initialValues: fresh,
    draft: 'new',
    prepare: sentOf,
    onDone: onClose,
    ...checked,
  });
  return (
    <FormDialog form={form} title={words.label} opened wide onClose={onClose} submitLabel={words.label}>
      <Fields form={form} />
    </FormDialog>
  );
}

export function BatchEditForm({ row, of, onClose }: ActionProps<BatchRow, typeof batchEdit>): ReactNode {
  const { t } = useTranslation();
  const checked = useChecked();
  const { batchID, manufacturerID, number, kind, model, firmware, madeOn, deliveredOn, note } = row;
  const form = useEndpointForm(of, {
    initialValues: {
      manufacturerID,
      number,
      kind,
      model,
      firmware,
      madeOn: madeOn ?? '',
      deliveredOn: deliveredOn ?? '',
      note,
    } satisfies BatchValues as BatchValues,
    draft: batchID,
    prepare: (values) => ({ ...sentOf(values), batchID }),
    onDone: onClose,
    ...checked,
  });
  return (
    <FormDialog
      form={form}
      title={t('factory.editTitle', { name: number })}
      opened
      wide
      onClose={onClose}
      submitLabel={t('factory.save')}
    >
      {row.units > 0 && <p>{t('factory.batches.follow')}</p>}
      <Fields form={form} />
    </FormDialog>
  );
}

function Fields({ form }: { form: EndpointForm<BatchValues, 'factory'> }): ReactNode {
  const { t } = useTranslation();
  const source = useManufacturerSource();
  return (
    <>
      <FieldRow>
        <RecordField form={form} name="manufacturerID" source={source} />
        <TextField form={form} name="number" />
      </FieldRow>
      <FieldRow>
        <SelectField
          form={form}
          name="kind"
          options={unitKinds.map((value) => ({ value, label: t(`factory.kind.${value}`) }))}
        />
        <TextField form={form} name="model" />
      </FieldRow>
      <FieldRow>
        <DateField form={form} name="madeOn" required={false} />
        <DateField form={form} name="deliveredOn" required={false} />
      </FieldRow>
      <TextField form={form} name="firmware" required={false} />
      <TextAreaField form={form} name="note" required={false} rows={3} />
    </>
  );
}
