import type { Pile, PileAccess, renewPassword } from '@sonnenwarte/contract/chargers/chargers';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { PileAccessShown } from './pile-access.tsx';

/** Asks, then shows the new password of a pile. */
export function RenewPassword({ row, of, onClose, words }: ActionProps<Pile, typeof renewPassword>): ReactNode {
  const { t } = useTranslation();
  const [access, setAccess] = useState<PileAccess>();
  const form = useEndpointForm(of, {
    initialValues: { deviceID: row.deviceID },
    draft: false,
    onDone: (result) => setAccess(result),
  });
  if (access !== undefined) return <PileAccessShown access={access} onClose={onClose} />;
  return (
    <FormDialog form={form} title={words.label} opened onClose={onClose} submitLabel={words.label}>
      <p>{t('chargers.renewMeaning', { name: row.name })}</p>
    </FormDialog>
  );
}
