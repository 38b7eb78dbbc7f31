import type { UserInfo } from '@sonnenwarte/contract/accounts/own-account';
import { editInfo } from '@sonnenwarte/contract/user-center/user-center';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CountryField } from '../blocks/form/country-field.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { PasswordField, TextAreaField, TextField } from '../blocks/form/fields.tsx';
import { FieldGroup, FieldRow } from '../blocks/form/form.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { LevelBadge } from '../blocks/show/badge.tsx';
import { Button } from '../blocks/show/button.tsx';
import { PropertyList } from '../blocks/show/property-list.tsx';
import { Section } from '../blocks/show/section.tsx';
import { md5Hex } from '../client/headers.ts';
import { showMessage } from '../client/reporting.ts';
import { initialsOf } from '../format/initials.ts';
import { useFormat } from '../format/use-format.ts';
import { ConfirmEmailNotice } from '../password/confirm-email-notice.tsx';
import { keepLoginInfo } from '../state/session.ts';
import styles from './user-center.module.css';

/** Who the user is to others. */
export function ProfileSection({ account }: { account: UserInfo }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [edited, setEdited] = useState(false);
  const field = (name: 'phone' | 'email' | 'country' | 'city' | 'address' | 'postcode') => ({
    label: t(`user-center.field.${name}`),
    value: name === 'country' ? format.country(account.country) : account[name],
  });
  return (
    <Section
      title={t('user-center.section.profile')}
      lead={t('user-center.profile.lead')}
      actions={
        <Button onClick={() => setEdited(true)}>
          <IconPencil size={16} aria-hidden="true" />
          {t('user-center.profile.edit')}
        </Button>
      }
    >
      <div className={styles.who}>
        <span className={styles.avatar} aria-hidden="true">
          {initialsOf(account.name || account.user)}
        </span>
        <div className={styles.names}>
          <strong>{account.name || account.user}</strong>
          <span>
            {account.user}
            {account.organisation !== '' && ` · ${account.organisation}`}
          </span>
        </div>
        <LevelBadge level={account.access} />
      </div>
      <ConfirmEmailNotice account={account} />
      <PropertyList
        items={[field('email'), field('phone'), field('address'), field('postcode'), field('city'), field('country')]}
      />
      {(account.introduction !== '' || account.note !== '') && (
        <dl className={styles.texts}>
          {(['introduction', 'note'] as const).map(
            (name) =>
              account[name] !== '' && (
                <div key={name}>
                  <dt>{t(`user-center.field.${name}`)}</dt>
                  <dd>{account[name]}</dd>
                </div>
              ),
          )}
        </dl>
      )}
      {edited && <ProfileForm account={account} onClose={() => setEdited(false)} />}
    </Section>
  );
}

function ProfileForm({ account, onClose }: { account: UserInfo; onClose: () => void }) {
  const { t } = useTranslation();
  const { name, email, phone, country, city, address, postcode, introduction, note } = account;
  const wrongPassword = t('user-center.cancel.wrongPassword');
  const isNewAddress = (typed: string) => typed.trim().toLowerCase() !== email.toLowerCase();
  const form = useEndpointForm(editInfo, {
    texts: 'user-center',
    initialValues: { name, email, phone, country, city, address, postcode, introduction, note, password: '' },
    draft: account.user,
    prepare: ({ password, ...profile }) => ({
      ...profile,
      password: isNewAddress(profile.email) && password !== '' ? md5Hex(password) : undefined,
    }),
    check: (values) => ({
      password: isNewAddress(values.email) && values.password === '' ? wrongPassword : undefined,
    }),
    reasons: { password: wrongPassword },
    onDone: (_, values) => {
      keepLoginInfo({ username: account.user, email: values.email, phone: values.phone });
      showMessage({ id: 'profile-saved', text: t('user-center.profile.saved'), color: 'brand' });
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('user-center.profile.edit')}
      opened
      onClose={onClose}
      submitLabel={t('user-center.profile.save')}
    >
      <TextField form={form} name="name" autoComplete="name" />
      <FieldGroup title={t('user-center.profile.contact')}>
        <TextField form={form} name="email" description={t('user-center.profile.emailNew')} autoComplete="email" />
        {isNewAddress(form.values.email) && (
          <PasswordField
            form={form}
            name="password"
            label={t('user-center.cancel.password')}
            description={t('user-center.profile.emailPassword')}
            autoComplete="current-password"
            required
          />
        )}
        <TextField form={form} name="phone" autoComplete="tel" />
      </FieldGroup>
      <FieldGroup title={t('user-center.profile.place')}>
        <TextField form={form} name="address" autoComplete="street-address" />
        <FieldRow>
          <TextField form={form} name="postcode" autoComplete="postal-code" />
          <TextField form={form} name="city" autoComplete="address-level2" />
        </FieldRow>
        <CountryField form={form} name="country" />
      </FieldGroup>
      <FieldGroup title={t('user-center.profile.about')}>
        <TextAreaField form={form} name="introduction" />
        <TextAreaField form={form} name="note" rows={2} />
      </FieldGroup>
    </FormDialog>
  );
}
