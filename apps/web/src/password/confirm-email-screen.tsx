import { confirmEmail } from '@sonnenwarte/contract/accounts/accounts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { Form } from '../blocks/form/form.tsx';
import { EntryForm } from '../login/entry-form.tsx';
import { EntryLink, EntryLinks } from '../login/entry-links.tsx';
import { useLinkCode } from '../login/use-link-code.ts';
import styles from './password.module.css';

/** Confirms an address with the code of a mailed link; by a click, since programs open links as well. */
export function ConfirmEmailScreen() {
  const { t } = useTranslation();
  const code = useLinkCode();
  return (
    <EntryForm title={t('password.confirmEmail.title')}>
      <ConfirmForm key={code} code={code} />
      <EntryLinks>
        <EntryLink to="/login">{t('password.toLogin')}</EntryLink>
      </EntryLinks>
    </EntryForm>
  );
}

function ConfirmForm({ code }: { code: string }) {
  const { t } = useTranslation();
  const [done, setDone] = useState(false);
  const form = useEndpointForm(confirmEmail, { initialValues: { code }, draft: false, onDone: () => setDone(true) });
  if (code === '') return <p>{t('password.incomplete')}</p>;
  if (done) {
    return (
      <p className={styles.done} role="status">
        {t('password.confirmEmail.done')}
      </p>
    );
  }
  return (
    <>
      <p>{t('password.confirmEmail.intro')}</p>
      <Form form={form} submitLabel={t('password.confirmEmail.submit')}>
        {null}
      </Form>
    </>
  );
}
