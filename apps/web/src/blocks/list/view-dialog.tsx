import { remove, rename, type SavedView, save } from '@sonnenwarte/contract/saved-views/saved-views';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '../../client/queries.ts';
import { ConfirmAction } from '../actions/confirm-action.tsx';
import { useEndpointForm } from '../form/endpoint-form.ts';
import { TextField } from '../form/fields.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { Dialog } from '../overlay/dialog.tsx';
import { CopyField } from '../show/copy-field.tsx';
import type { ViewTask } from './saved-views.tsx';

interface ViewDialogProps {
  task: ViewTask;
  /** Whose views they are. */
  list: string;
  /** What is shown now. */
  view: Readonly<Record<string, string>>;
  address: string;
  onClose: () => void;
}

/** A view is saved, renamed, removed, or passed on as an address. */
export function ViewDialog({ task, list, view, address, onClose }: ViewDialogProps): ReactNode {
  const { t } = useTranslation();
  switch (task.kind) {
    case 'save':
      return <SaveView list={list} view={view} onClose={onClose} />;
    case 'rename':
      return <RenameView view={task.view} onClose={onClose} />;
    case 'remove':
      return <RemoveView view={task.view} onClose={onClose} />;
    case 'link':
      return (
        <Dialog opened onClose={onClose} title={t('blocks.views.link')}>
          <CopyField label={t('blocks.views.address')} value={address} hint={t('blocks.views.linkMeaning')} />
        </Dialog>
      );
  }
}

interface SaveViewProps {
  list: string;
  view: Readonly<Record<string, string>>;
  onClose: () => void;
}

function SaveView({ list, view, onClose }: SaveViewProps): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(save, {
    initialValues: { list, name: '', query: {} },
    // What the view is has dots in its names, which are no paths of the form.
    prepare: (values) => ({ ...values, query: { ...view } }),
    draft: false,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      opened
      onClose={onClose}
      title={t('blocks.views.save')}
      submitLabel={t('blocks.views.keep')}
    >
      <p>{t('blocks.views.meaning')}</p>
      <TextField form={form} name="name" label={t('blocks.views.name')} />
    </FormDialog>
  );
}

function RenameView({ view, onClose }: { view: SavedView; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(rename, {
    initialValues: { viewID: view.viewID, name: view.name },
    draft: false,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      opened
      onClose={onClose}
      title={t('blocks.views.rename')}
      submitLabel={t('blocks.views.keep')}
    >
      <TextField form={form} name="name" label={t('blocks.views.name')} />
    </FormDialog>
  );
}

function RemoveView({ view, onClose }: { view: SavedView; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const write = useWrite(remove, { inPlace: true });
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={t('blocks.views.removeTitle', { name: view.name })}
      confirmLabel={t('blocks.views.remove')}
      danger
      onConfirm={() => write.mutateAsync({ viewID: view.viewID })}
    />
  );
}
