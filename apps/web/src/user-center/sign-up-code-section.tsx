import { LEVEL, type Level } from '@sonnenwarte/contract/levels';
import { signUpCode } from '@sonnenwarte/contract/user-center/user-center';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { CopyField } from '../blocks/show/copy-field.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { QrCode } from '../blocks/show/qr-code.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import parts from '../blocks/show/section.module.css';
import { Section } from '../blocks/show/section.tsx';
import { read } from '../client/queries.ts';
import { signUpCodeActions } from './renewal-actions.tsx';
import styles from './user-center.module.css';

/** The code for those who sign up under the own organisation. */
export function SignUpCodeSection({ level }: { level: Level }) {
  const { t } = useTranslation();
  const query = useQuery(read(signUpCode, {}));
  const { data } = query;
  const link = `${location.origin}/signUp?code=${encodeURIComponent(data?.code ?? '')}`;
  return (
    <Section
      title={t('user-center.section.signUpCode')}
      lead={t(level === LEVEL.installer ? 'user-center.signUpCode.lead2' : 'user-center.signUpCode.lead3')}
      actions={data && <ActionButtons table={signUpCodeActions} row={data} />}
    >
      <ReadState query={query}>
        <Skeleton height="4rem" />
      </ReadState>
      {data && (
        <div className={styles.codes}>
          <CopyField label={t('user-center.signUpCode.code')} value={data.code} />
          <div className={styles.codeLink}>
            <CopyField label={t('user-center.signUpCode.link')} value={link} />
            <a href={`mailto:?body=${encodeURIComponent(link)}`}>{t('user-center.signUpCode.mail')}</a>
          </div>
          <div className={styles.qr}>
            <QrCode text={link} label={t('user-center.signUpCode.qr')} />
          </div>
        </div>
      )}
      {data && !data.canRenew && <p className={parts.muted}>{t('user-center.signUpCode.onlyLead')}</p>}
    </Section>
  );
}
