import { LEVEL } from '@sonnenwarte/contract/levels';
import { save } from '@sonnenwarte/contract/saved-views/saved-views';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { CheckField, TextField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import type { Query } from '../router/query.ts';
import { useGlobalState } from '../state/global-state.ts';
import { VIEWS_LIST } from './views-list.ts';

const sharingLevels: readonly number[] = [LEVEL.installer, LEVEL.agent, LEVEL.distributor, LEVEL.admin];

interface KeepViewProps {
  view: Query;
  name: string;
  onClose: () => void;
}

/** Keeps what is plotted under a name. */
export function KeepView({ view, name, onClose }: KeepViewProps): ReactNode {
  const { t } = useTranslation();
  const canShare = useGlobalState((state) => sharingLevels.includes(state.access));
  const form = useEndpointForm(save, {
    initialValues: { list: VIEWS_LIST, name, query: {}, isShared: false },
    // What the view is has signs in its names that are no paths of the form.
    prepare: (values) => ({ ...values, query: { ...view } }),
    draft: false,
    onDone: onClose,
  });
  return (
    <FormDialog form={form} opened onClose={onClose} title={t('analysis.keep')} submitLabel={t('blocks.views.keep')}>
      <p>{t('analysis.keepMeaning')}</p>
      <TextField form={form} name="name" label={t('blocks.views.name')} />
      {canShare && <CheckField form={form} name="isShared" label={t('analysis.forColleagues')} />}
    </FormDialog>
  );
}
