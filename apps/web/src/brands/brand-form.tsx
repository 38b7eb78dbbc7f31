import type { add, BrandRow, edit } from '@sonnenwarte/contract/brands/brands';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { type EndpointForm, useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextField } from '../blocks/form/fields.tsx';
import { FieldRow } from '../blocks/form/form.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { RecordField } from '../blocks/form/record-field.tsx';
import { useOrganisationSource } from '../organisations/organisation-source.ts';
import { ColourField } from './colour-field.tsx';
import { LogoField } from './logo-field.tsx';
import { SignInPreview } from './sign-in-preview.tsx';

/** A brand as it is typed. */
export interface BrandValues {
  name: string;
  domain: string;
  organisationID: string;
  colour: string;
  logo: string;
  downloadLink: string;
  appLink: string;
  mailAddress: string;
}

const fresh: BrandValues = {
  name: '',
  domain: '',
  organisationID: '',
  colour: '',
  logo: '',
  downloadLink: '',
  appLink: '',
  mailAddress: '',
};

const sentOf = ({ organisationID, ...others }: BrandValues) => ({
  ...others,
  organisationID: organisationID === '' ? null : organisationID,
});

/** The portal has another name under a domain. */
export function BrandAddForm({ of, onClose, words }: ActionProps<undefined, typeof add>): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(of, { initialValues: fresh, draft: 'new', prepare: sentOf, onDone: onClose });
  return (
    <FormDialog form={form} title={t('brands.addTitle')} opened wide onClose={onClose} submitLabel={words.label}>
      <Fields form={form} />
    </FormDialog>
  );
}

export function BrandEditForm({ row, of, onClose }: ActionProps<BrandRow, typeof edit>): ReactNode {
  const { t } = useTranslation();
  const { brandID, name, domain, organisationID, colour, logo, downloadLink, appLink, mailAddress } = row;
  const form = useEndpointForm(of, {
    initialValues: {
      name,
      domain,
      organisationID: organisationID ?? '',
      colour,
      logo,
      downloadLink,
      appLink,
      mailAddress,
    } satisfies BrandValues,
    draft: brandID,
    prepare: (values) => ({ ...sentOf(values), brandID }),
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('brands.editTitle', { name })}
      opened
      wide
      onClose={onClose}
      submitLabel={t('brands.save')}
    >
      <Fields form={form} />
    </FormDialog>
  );
}

function Fields({ form }: { form: EndpointForm<BrandValues, 'brands'> }): ReactNode {
  const { t } = useTranslation();
  const source = useOrganisationSource();
  const { name, logo, colour } = form.values;
  return (
    <>
      <FieldRow>
        <TextField form={form} name="name" />
        <TextField form={form} name="domain" description={t('brands.hint.domain')} />
      </FieldRow>
      <LogoField form={form} />
      <ColourField form={form} />
      <SignInPreview name={name} logo={logo} colour={colour} />
      <RecordField
        form={form}
        name="organisationID"
        required={false}
        source={source}
        description={t('brands.hint.organisation')}
      />
      <FieldRow>
        <TextField form={form} name="downloadLink" required={false} description={t('brands.hint.link')} />
        <TextField form={form} name="appLink" required={false} description={t('brands.hint.link')} />
      </FieldRow>
      <TextField form={form} name="mailAddress" required={false} description={t('brands.hint.mailAddress')} />
    </>
  );
}
