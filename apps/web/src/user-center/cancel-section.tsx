import type { Result } from '@sonnenwarte/contract/endpoint';
import { cancelAccount, cancellation } from '@sonnenwarte/contract/user-center/user-center';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { PasswordField, TextField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { Section } from '../blocks/show/section.tsx';
import { md5Hex } from '../client/headers.ts';
import { read } from '../client/queries.ts';
import { showMessage } from '../client/reporting.ts';
import { go } from '../router/navigation.ts';
import styles from './user-center.module.css';

const NOTICE_MS = 10_000;

type Consequences = Result<typeof cancellation>;

/** The end of the account: what it means, then the step itself. */
export function CancelSection({ user }: { user: string }) {
  const { t } = useTranslation();
  const query = useQuery(read(cancellation, {}));
  const { data } = query;
  const [asking, setAsking] = useState(false);
  const hindranceText = useHindranceText();
  return (
    <Section
      title={t('user-center.section.cancel')}
      lead={data?.hindrance ? hindranceText(data) : t('user-center.cancel.lead')}
      actions={
        data?.hindrance === null && (
          <Button look="danger-quiet" onClick={() => setAsking(true)}>
            {t('user-center.cancel.button')}
          </Button>
        )
      }
    >
      <ReadState query={query}>
        <Skeleton height="4rem" />
      </ReadState>
      {data?.hindrance === null && <ConsequenceList data={data} />}
      {asking && data && <CancelForm user={user} data={data} onClose={() => setAsking(false)} />}
    </Section>
  );
}

/** Why the account cannot be cancelled now. */
function useHindranceText(): (data: Consequences) => string {
  const { t } = useTranslation();
  return ({ hindrance, hindering: count }) => {
    switch (hindrance) {
      case 'organisationsBelow':
        return t('user-center.cancel.hindrance.organisationsBelow', { count });
      case 'membersBelow':
        return t('user-center.cancel.hindrance.membersBelow', { count });
      default:
        return t('user-center.cancel.hindrance.lastAdministrator');
    }
  };
}

function ConsequenceList({ data }: { data: Consequences }) {
  const { t } = useTranslation();
  const { sites, endUsers, goesTo, sharedSites, apiKeys, undoDays } = data;
  const name = goesTo ?? '';
  return (
    <ul className={styles.consequences}>
      <li>{sites > 0 ? t('user-center.cancel.sites', { count: sites, name }) : t('user-center.cancel.noSites')}</li>
      {endUsers > 0 && <li>{t('user-center.cancel.endUsers', { count: endUsers, name })}</li>}
      {sharedSites > 0 && <li>{t('user-center.cancel.shared', { count: sharedSites })}</li>}
      {apiKeys > 0 && <li>{t('user-center.cancel.keys', { count: apiKeys })}</li>}
      <li>{t('user-center.cancel.sessions')}</li>
      <li>{t('user-center.cancel.undo', { days: undoDays })}</li>
    </ul>
  );
}

function CancelForm({ user, data, onClose }: { user: string; data: Consequences; onClose: () => void }) {
  const { t } = useTranslation();
  const form = useEndpointForm(cancelAccount, {
    initialValues: { user: '', password: '' },
    draft: false,
    prepare: (values) => ({ user: values.user, password: md5Hex(values.password) }),
    check: (values) => ({
      user: values.user.trim() === user ? undefined : t('user-center.cancel.differs'),
      password: values.password === '' ? t('user-center.cancel.wrongPassword') : undefined,
    }),
    reasons: { user: t('user-center.cancel.differs'), password: t('user-center.cancel.wrongPassword') },
    onDone: () => {
      go('/login', {}, { replace: true });
      showMessage({
        id: 'account-cancelled',
        text: t('user-center.cancel.done'),
        color: 'brand',
        forMs: NOTICE_MS,
      });
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('user-center.cancel.title', { user })}
      opened
      onClose={onClose}
      submitLabel={t('user-center.cancel.button')}
      danger
    >
      <ConsequenceList data={data} />
      <TextField form={form} name="user" label={t('user-center.cancel.typed', { user })} required />
      <PasswordField
        form={form}
        name="password"
        label={t('user-center.cancel.password')}
        autoComplete="current-password"
        required
      />
    </FormDialog>
  );
}
