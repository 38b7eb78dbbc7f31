import type { DataloggerRow } from '@sonnenwarte/contract/dataloggers/dataloggers';
import type { renewPassword } from '@sonnenwarte/contract/dataloggers/managing';
import type { Result } from '@sonnenwarte/contract/endpoint';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { PasswordShown } from './password-shown.tsx';

/** Asks, then shows the new password of a datalogger. */
export function RenewPassword({
  row,
  of,
  onClose,
  words,
}: ActionProps<DataloggerRow, typeof renewPassword>): ReactNode {
  const { t } = useTranslation();
  const [given, setGiven] = useState<Result<typeof renewPassword>>();
  const form = useEndpointForm(of, {
    initialValues: { moduleID: row.moduleID },
    draft: false,
    onDone: (result) => setGiven(result),
  });
  if (given !== undefined) return <PasswordShown given={given} onClose={onClose} />;
  return (
    <FormDialog form={form} title={words.label} opened onClose={onClose} submitLabel={words.label}>
      <p>{t('dataloggers.password.meaning', { name: row.moduleSN })}</p>
    </FormDialog>
  );
}
