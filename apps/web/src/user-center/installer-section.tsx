import type { Result } from '@sonnenwarte/contract/endpoint';
import { checkInstaller, installer, joinInstaller } from '@sonnenwarte/contract/user-center/user-center';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmAction } from '../blocks/actions/confirm-action.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextField } from '../blocks/form/fields.tsx';
import { Form } from '../blocks/form/form.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { Section } from '../blocks/show/section.tsx';
import { read, useWrite } from '../client/queries.ts';
import { showMessage } from '../client/reporting.ts';

/** Who looks after the plants of an end user; who has nobody yet joins an installer by its code. */
export function InstallerSection() {
  const { t } = useTranslation();
  const query = useQuery(read(installer, {}));
  const { data } = query;
  return (
    <Section title={t('user-center.section.installer')} lead={t('user-center.installer.lead')}>
      <ReadState query={query}>
        <Skeleton height="4rem" />
      </ReadState>
      {data && data.installer !== null && <p>{t('user-center.installer.belongs', { name: data.installer })}</p>}
      {data && data.installer === null && <Joining />}
    </Section>
  );
}

function Joining() {
  const { t } = useTranslation();
  const [offer, setOffer] = useState<Result<typeof checkInstaller> & { code: string }>();
  const joining = useWrite(joinInstaller, { inPlace: true });
  const form = useEndpointForm(checkInstaller, {
    initialValues: { code: '' },
    draft: false,
    onDone: (found, { code }) => setOffer({ ...found, code }),
  });
  const name = offer?.installer ?? '';
  return (
    <>
      <p>{t('user-center.installer.none')}</p>
      <Form form={form} submitLabel={t('user-center.installer.check')}>
        <TextField form={form} name="code" label={t('sign-up.code.endUser')} />
      </Form>
      <ConfirmAction
        title={t('user-center.installer.title', { name })}
        opened={offer !== undefined}
        onClose={() => setOffer(undefined)}
        confirmLabel={t('user-center.installer.join')}
        onConfirm={async () => {
          const joined = await joining.mutateAsync({ code: offer?.code ?? '' });
          const text = t('user-center.installer.joined', { name: joined.installer });
          showMessage({ id: 'installer-joined', text, color: 'brand' });
        }}
      >
        <p>
          {offer !== undefined && offer.sites > 0
            ? t('user-center.installer.sites', { count: offer.sites, name })
            : t('user-center.installer.noSites')}
        </p>
        <p>{t('user-center.installer.final')}</p>
      </ConfirmAction>
    </>
  );
}
