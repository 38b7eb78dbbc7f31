import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from '../blocks/form/fields.tsx';
import { FieldGroup } from '../blocks/form/form.tsx';
import type { SiteForm } from './sections.ts';
import styles from './site-form.module.css';

interface ContactsSectionProps {
  form: SiteForm;
  /** The form says whose plant it is. */
  withOwner: boolean;
}

/** Whom to ask: the people of the plant, and who installed it. */
export function ContactsSection({ form, withOwner }: ContactsSectionProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.contacts}>
      {withOwner && (
        <div className={styles.fields}>
          <TextField form={form} name="owner" description={t('site-form.contact.ownerHint')} />
        </div>
      )}
      <FieldGroup title={t('site-form.field.userContact')}>
        <ContactFields form={form} of="userContact" />
      </FieldGroup>
      <FieldGroup title={t('site-form.field.installerContact')}>
        <ContactFields form={form} of="installerContact" />
      </FieldGroup>
    </div>
  );
}

function ContactFields({ form, of }: { form: SiteForm; of: 'userContact' | 'installerContact' }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.fields}>
      <TextField form={form} name={`${of}.name`} label={t('site-form.field.contactName')} />
      <TextField form={form} name={`${of}.phone`} />
      <TextField form={form} name={`${of}.email`} />
    </div>
  );
}
