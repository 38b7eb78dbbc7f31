import { type add, shareRights } from '@sonnenwarte/contract/site-shares/site-shares';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField, TextField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { useFormat } from '../format/use-format.ts';
import { showNotice } from '../notices/notices.ts';
import type { ChosenSites } from '../site-deletions/delete-sites.tsx';

/** Plants are shared with somebody who has an account. */
export function ShareSites({ row, of, onClose, onDone }: ActionProps<ChosenSites, typeof add>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const stationIDs = [...row.stationIDs];
  const form = useEndpointForm(of, {
    initialValues: { stationIDs, account: '', right: 'read' },
    draft: false,
    reasons: { account: { unknown: t('site-shares.unknown') } },
    onDone: ({ sites }) => {
      showNotice({ id: 'shared', text: t('site-shares.done', { number: format.number(sites) }), color: 'brand' });
      onDone();
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      opened
      onClose={onClose}
      title={
        row.name === undefined
          ? t('site-shares.titleMany', { number: format.number(stationIDs.length) })
          : t('site-shares.titleOf', { name: row.name })
      }
      submitLabel={t('sites.action.share')}
    >
      <p>{t('site-shares.meaning')}</p>
      <TextField form={form} name="account" autoComplete="off" />
      <SelectField
        form={form}
        name="right"
        required
        options={shareRights.map((right) => ({ value: right, label: t(`site-shares.right.${right}`) }))}
      />
    </FormDialog>
  );
}
