import type { UnitKind } from '@sonnenwarte/contract/factory/factory-words';
import type { WarrantyRow, warrantyAdd, warrantyEdit } from '@sonnenwarte/contract/factory/warranties';
import { monthsAfter, type WarrantyBegin, warrantyBegins, warrantyOf } from '@sonnenwarte/contract/factory/warranty';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { type EndpointForm, useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField, TextField } from '../blocks/form/fields.tsx';
import { FieldRow } from '../blocks/form/form.tsx';
import { NumberField } from '../blocks/form/number-field.tsx';
import type { CalendarDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { AddDialog, EditDialog, KindField, ManufacturerField, NoteField } from './form-parts.tsx';

/** A term as it is typed. */
interface WarrantyValues {
  model: string;
  kind: UnitKind | '';
  manufacturerID: string;
  months: number | string;
  begins: WarrantyBegin;
  latestMonths: number | string;
  note: string;
}

const fresh: WarrantyValues = {
  model: '',
  kind: '',
  manufacturerID: '',
  months: 24,
  begins: 'delivery',
  latestMonths: '',
  note: '',
};

const sentOf = ({ kind, manufacturerID, latestMonths, begins, ...others }: WarrantyValues) => ({
  ...others,
  begins,
  kind: kind === '' ? null : kind,
  manufacturerID: manufacturerID === '' ? null : manufacturerID,
  latestMonths: latestMonths === '' || begins === 'delivery' ? null : latestMonths,
});

/** The server knows a term by its model; what is taken is the model with its kind and manufacturer. */
function useReasons() {
  const { t } = useTranslation();
  return { model: { taken: t('factory.warranties.taken') } };
}

export function WarrantyAddForm({ of, onClose, words }: ActionProps<undefined, typeof warrantyAdd>): ReactNode {
  const reasons = useReasons();
  const form = useEndpointForm(of, { initialValues: fresh, draft: 'new', prepare: sentOf, onDone: onClose, reasons });
  return (
    <AddDialog form={form} label={words.label} wide onClose={onClose}>
      <Fields form={form} />
    </AddDialog>
  );
}

export function WarrantyEditForm({ row, of, onClose }: ActionProps<WarrantyRow, typeof warrantyEdit>): ReactNode {
  const reasons = useReasons();
  const { warrantyID, model, kind, manufacturerID, months, begins, latestMonths, note } = row;
  const form = useEndpointForm(of, {
    initialValues: {
      model,
      kind: kind ?? '',
      manufacturerID: manufacturerID ?? '',
      months,
      begins,
      latestMonths: latestMonths ?? '',
      note,
    } satisfies WarrantyValues as WarrantyValues,
    draft: warrantyID,
    prepare: (values) => ({ ...sentOf(values), warrantyID }),
    onDone: onClose,
    reasons,
  });
  return (
    <EditDialog form={form} name={model} wide onClose={onClose}>
      <Fields form={form} />
    </EditDialog>
  );
}

function Fields({ form }: { form: EndpointForm<WarrantyValues, 'factory'> }): ReactNode {
  const { t } = useTranslation();
  const { begins } = form.values;
  return (
    <>
      <FieldRow>
        <TextField form={form} name="model" />
        <NumberField form={form} name="months" integer />
      </FieldRow>
      <FieldRow>
        <KindField form={form} all={t('factory.warranties.allKinds')} />
        <ManufacturerField form={form} all={t('factory.warranties.allManufacturers')} />
      </FieldRow>
      <FieldRow>
        <SelectField
          form={form}
          name="begins"
          required
          options={warrantyBegins.map((value) => ({ value, label: t(`factory.begins.${value}`) }))}
        />
        {begins !== 'delivery' && (
          <NumberField
            form={form}
            name="latestMonths"
            required={false}
            integer
            description={t('factory.warranties.latestHint')}
          />
        )}
      </FieldRow>
      <Example values={form.values} />
      <NoteField form={form} />
    </>
  );
}

/** What the typed term means for a unit that was delivered and set up in the last months. */
function Example({ values: { months, begins, latestMonths } }: { values: WarrantyValues }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const today = new Date().toISOString().slice(0, 10);
  const deliveredOn = monthsAfter(today, -3);
  const seenOn = monthsAfter(today, -1);
  if (typeof months !== 'number' || !Number.isInteger(months) || months < 1 || months > 600) return null;
  const latest = typeof latestMonths === 'number' && Number.isInteger(latestMonths) ? latestMonths : null;
  const warranty = warrantyOf(
    { months, begins, latestMonths: begins === 'delivery' ? null : latest },
    { deliveredOn, seenOn, commissioned: seenOn },
  );
  if (warranty === undefined) return null;
  const day = (text: string) => format.day(text as CalendarDay);
  return (
    <p role="status">
      {t('factory.warranties.example', {
        delivered: day(deliveredOn),
        seen: day(seenOn),
        from: day(warranty.from),
        until: day(warranty.until),
      })}
    </p>
  );
}
