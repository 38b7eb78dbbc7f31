import { LEVEL, type Level } from '@sonnenwarte/contract/levels';
import { renewSignUpCode, signUpCode } from '@sonnenwarte/contract/user-center/user-center';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/button.tsx';
import { ConfirmAction } from '../blocks/confirm-action.tsx';
import { CopyField } from '../blocks/copy-field.tsx';
import { Skeleton } from '../blocks/loading.tsx';
import { ReadState } from '../blocks/read-state.tsx';
import { read, useWrite } from '../client/queries.ts';
import { Section } from './section.tsx';
import styles from './user-center.module.css';

/** The code for those who sign up under the own organisation. */
export function SignUpCodeSection({ level }: { level: Level }) {
  const { t } = useTranslation();
  const query = useQuery(read(signUpCode, {}));
  const { data } = query;
  const [renewing, setRenewing] = useState(false);
  const renewal = useWrite(renewSignUpCode, { inPlace: true });
  return (
    <Section
      title={t('user-center.section.signUpCode')}
      lead={t(level === LEVEL.installer ? 'user-center.signUpCode.lead2' : 'user-center.signUpCode.lead3')}
      actions={
        data?.canRenew && (
          <Button onClick={() => setRenewing(true)}>
            <IconRefresh size={16} aria-hidden="true" />
            {t('user-center.signUpCode.action.renew')}
          </Button>
        )
      }
    >
      <ReadState query={query}>
        <Skeleton height="4rem" />
      </ReadState>
      {data && (
        <div className={styles.codes}>
          <CopyField label={t('user-center.signUpCode.code')} value={data.code} />
          <CopyField
            label={t('user-center.signUpCode.link')}
            value={`${location.origin}/signUp?code=${encodeURIComponent(data.code)}`}
          />
        </div>
      )}
      {data && !data.canRenew && <p className={styles.muted}>{t('user-center.signUpCode.onlyLead')}</p>}
      <ConfirmAction
        title={t('user-center.signUpCode.ask.renew.title')}
        opened={renewing}
        onClose={() => setRenewing(false)}
        confirmLabel={t('user-center.signUpCode.action.renew')}
        onConfirm={() => renewal.mutateAsync({})}
      >
        <p>{t('user-center.signUpCode.ask.renew.text')}</p>
      </ConfirmAction>
    </Section>
  );
}
