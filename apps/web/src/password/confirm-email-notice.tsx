import { askToConfirm, type UserInfo } from '@sonnenwarte/contract/accounts/own-account';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { useWrite } from '../client/queries.ts';
import styles from './password.module.css';

/** Says that an address is not confirmed yet, and offers another link. */
export function ConfirmEmailNotice({ account }: { account: UserInfo }) {
  const { t } = useTranslation();
  const ask = useWrite(askToConfirm, { inPlace: true });
  if (account.emailConfirmed) return null;
  return (
    <div className={styles.pending}>
      <p>{t('password.confirmEmail.pending')}</p>
      {ask.isSuccess ? (
        <p role="status">{t('password.confirmEmail.sent')}</p>
      ) : (
        <Button small onClick={() => ask.mutate({})} aria-disabled={ask.isPending}>
          {t('password.confirmEmail.again')}
        </Button>
      )}
      {ask.error && <ErrorNotice error={ask.error} />}
    </div>
  );
}
