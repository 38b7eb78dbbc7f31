import type { BatchRow, batchAdd, batchEdit } from '@sonnenwarte/contract/factory/batches';
import type { UnitKind } from '@sonnenwarte/contract/factory/factory-words';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { DateField } from '../blocks/form/date-field.tsx';
import { type EndpointForm, useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextField } from '../blocks/form/fields.tsx';
import { FieldRow } from '../blocks/form/form.tsx';
import { AddDialog, EditDialog, KindField, ManufacturerField, NoteField } from './form-parts.tsx';

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
    <AddDialog form={form} label={words.label} wide onClose={onClose}>
      <Fields form={form} />
    </AddDialog>
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
    <EditDialog form={form} name={number} wide onClose={onClose}>
      {row.units > 0 && <p>{t('factory.batches.follow')}</p>}
      <Fields form={form} />
    </EditDialog>
  );
}

function Fields({ form }: { form: EndpointForm<BatchValues, 'factory'> }): ReactNode {
  return (
    <>
      <FieldRow>
        <ManufacturerField form={form} />
        <TextField form={form} name="number" />
      </FieldRow>
      <FieldRow>
        <KindField form={form} />
        <TextField form={form} name="model" />
      </FieldRow>
      <FieldRow>
        <DateField form={form} name="madeOn" required={false} />
        <DateField form={form} name="deliveredOn" required={false} />
      </FieldRow>
      <TextField form={form} name="firmware" required={false} />
      <NoteField form={form} />
    </>
  );
}
