import {
  type DocumentProduct,
  type DocumentRow,
  type DocumentType,
  documentProducts,
  documentTypes,
} from '@sonnenwarte/contract/documents/documents';
import { type Language, languages } from '@sonnenwarte/contract/languages';
import { languageNames } from '@sonnenwarte/phrases/languages';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { EndpointForm, FieldName } from '../blocks/form/endpoint-form.ts';
import { SelectField, TextAreaField, TextField } from '../blocks/form/fields.tsx';
import { FieldRow } from '../blocks/form/form.tsx';
import { productName } from './document-words.ts';

/** A document as it is typed. */
export interface DocumentValues {
  documentID: string;
  name: string;
  type: DocumentType;
  language: Language;
  product: DocumentProduct | '';
  /** One per line. */
  models: string;
  videoLink: string;
}

export const valuesOf = ({
  documentID,
  name,
  type,
  language,
  product,
  models,
  videoLink,
}: DocumentRow): DocumentValues => ({
  documentID,
  name,
  type,
  language,
  product: product ?? '',
  models: models.join('\n'),
  videoLink,
});

/** A document as it is sent. */
export const sentOf = ({ product, models, ...others }: DocumentValues) => ({
  ...others,
  product: product === '' ? null : product,
  models: models
    .split(/[\n,;]/)
    .map((model) => model.trim())
    .filter((model) => model !== ''),
});

interface FieldsProps<V extends object> {
  form: EndpointForm<V, 'documents'>;
  /** What the names of the fields begin with. */
  path: string;
}

/** What a document is called and what it is about. */
export function DocumentFields<V extends object>({ form, path }: FieldsProps<V>): ReactNode {
  const { t } = useTranslation();
  const at = (name: keyof DocumentValues) => `${path}${name}` as FieldName<V>;
  const label = (name: 'name' | 'type' | 'language' | 'product' | 'models' | 'videoLink') =>
    t(`documents.field.${name}`);
  return (
    <>
      <TextField form={form} name={at('name')} label={label('name')} required />
      <FieldRow>
        <SelectField
          form={form}
          name={at('type')}
          label={label('type')}
          required
          options={documentTypes.map((value) => ({ value, label: t(`documents.type.${value}`) }))}
        />
        <SelectField
          form={form}
          name={at('language')}
          label={label('language')}
          required
          options={languages.map((value) => ({ value, label: languageNames[value] }))}
        />
      </FieldRow>
      <FieldRow>
        <SelectField
          form={form}
          name={at('product')}
          label={label('product')}
          required={false}
          placeholder={t('documents.allKinds')}
          options={documentProducts.map((value) => ({ value, label: productName(value, t) }))}
        />
        <TextField
          form={form}
          name={at('videoLink')}
          label={label('videoLink')}
          required={false}
          description={t('documents.linkHint')}
        />
      </FieldRow>
      <TextAreaField
        form={form}
        name={at('models')}
        label={label('models')}
        required={false}
        rows={2}
        description={t('documents.modelsHint')}
      />
    </>
  );
}
