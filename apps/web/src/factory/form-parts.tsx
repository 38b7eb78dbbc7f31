import { type UnitKind, unitKinds } from '@sonnenwarte/contract/factory/factory-words';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { EndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField, TextAreaField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { RecordField } from '../blocks/form/record-field.tsx';
import { useManufacturerSource } from './sources.ts';

interface DialogProps<V extends object> {
  form: EndpointForm<V>;
  wide?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A new record of the factory. */
export function AddDialog<V extends object>({ label, ...dialog }: DialogProps<V> & { label: string }): ReactNode {
  return <FormDialog {...dialog} title={label} opened submitLabel={label} />;
}

/** A record of the factory is changed. */
export function EditDialog<V extends object>({ name, ...dialog }: DialogProps<V> & { name: string }): ReactNode {
  const { t } = useTranslation();
  return <FormDialog {...dialog} title={t('factory.editTitle', { name })} opened submitLabel={t('factory.save')} />;
}

interface FieldProps<V extends object> {
  form: EndpointForm<V, 'factory'>;
  /** What stands for all of them, where none has to be chosen. */
  all?: string;
}

/** What it is: an inverter, a battery, a datalogger. */
export function KindField<V extends { kind: UnitKind | '' }>({ form, all }: FieldProps<V>): ReactNode {
  const { t } = useTranslation();
  return (
    <SelectField
      form={form}
      name="kind"
      label={t('factory.field.kind')}
      options={unitKinds.map((value) => ({ value, label: t(`factory.kind.${value}`) }))}
      {...(all !== undefined && { required: false, placeholder: all })}
    />
  );
}

/** Who made it. */
export function ManufacturerField<V extends { manufacturerID: string }>({ form, all }: FieldProps<V>): ReactNode {
  const { t } = useTranslation();
  const source = useManufacturerSource();
  return (
    <RecordField
      form={form}
      name="manufacturerID"
      label={t('factory.field.manufacturerID')}
      source={all === undefined ? source : { ...source, search: all }}
      {...(all !== undefined && { required: false })}
    />
  );
}

/** What else there is to say. */
export function NoteField<V extends { note: string }>({ form }: FieldProps<V>): ReactNode {
  const { t } = useTranslation();
  return <TextAreaField form={form} name="note" label={t('factory.field.note')} required={false} rows={3} />;
}
