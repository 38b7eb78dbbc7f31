import {
  type AnswerTemplate,
  addTemplate,
  editTemplate,
  removeTemplate,
  templates,
} from '@sonnenwarte/contract/work-orders/answer-templates';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Can, usePermit } from '../blocks/actions/can.tsx';
import { ConfirmAction } from '../blocks/actions/confirm-action.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextAreaField, TextField } from '../blocks/form/fields.tsx';
import { Form } from '../blocks/form/form.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button, IconButton } from '../blocks/show/button.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import type { Permitted } from '../client/permit.ts';
import { read, write } from '../client/queries.ts';
import styles from './order.module.css';

/** The templates of answers: those of one's own organisation can be changed. */
export function TemplatesDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(read(templates, {}));
  const [edited, setEdited] = useState<AnswerTemplate | 'new'>();
  const [removed, setRemoved] = useState<AnswerTemplate>();
  const permitted = usePermit()(removeTemplate);
  const kept = query.data?.templates ?? [];
  const done = () => setEdited(undefined);
  return (
    <Dialog title={t('work-orders.templates.title')} opened onClose={onClose} shape="drawer">
      <ReadState query={query}>
        <Skeleton height="8rem" />
      </ReadState>
      {query.data && (
        <div className={styles.kept}>
          {kept.length === 0 && <p>{t('work-orders.templates.none')}</p>}
          <ul>
            {kept.map((template) => (
              <li key={template.templateID}>
                <div>
                  <strong>{template.name}</strong>
                  {!template.can.edit && (
                    <small>{t('work-orders.templates.ofOrganisation', { name: template.organisation })}</small>
                  )}
                  <p>{template.text}</p>
                </div>
                {template.can.edit && (
                  <>
                    <IconButton
                      aria-label={t('work-orders.templates.edit', { name: template.name })}
                      onClick={() => setEdited(template)}
                    >
                      <IconPencil size={16} aria-hidden="true" />
                    </IconButton>
                    <IconButton
                      aria-label={t('work-orders.templates.remove', { name: template.name })}
                      onClick={() => setRemoved(template)}
                    >
                      <IconTrash size={16} aria-hidden="true" />
                    </IconButton>
                  </>
                )}
              </li>
            ))}
          </ul>
          {edited === undefined && <Button onClick={() => setEdited('new')}>{t('work-orders.templates.add')}</Button>}
          {edited === 'new' && <Can of={addTemplate}>{(of) => <NewTemplate of={of} onDone={done} />}</Can>}
          {edited !== undefined && edited !== 'new' && (
            <Can of={editTemplate}>
              {(of) => <EditedTemplate key={edited.templateID} of={of} template={edited} onDone={done} />}
            </Can>
          )}
        </div>
      )}
      {removed && permitted && (
        <ConfirmAction
          opened
          danger
          title={t('work-orders.templates.remove', { name: removed.name })}
          confirmLabel={t('work-orders.templates.delete')}
          onClose={() => setRemoved(undefined)}
          onConfirm={() => write(permitted, { id: removed.templateID }, { inPlace: true })}
        >
          {t('work-orders.templates.removeText')}
        </ConfirmAction>
      )}
    </Dialog>
  );
}

function NewTemplate({ of, onDone }: { of: Permitted<typeof addTemplate>; onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(of, { initialValues: { name: '', text: '' }, onDone });
  return (
    <Form form={form} submitLabel={t('work-orders.templates.save')} onCancel={onDone}>
      <TextField form={form} name="name" />
      <TextAreaField
        form={form}
        name="text"
        label={t('work-orders.templates.text')}
        description={t('work-orders.templates.words')}
      />
    </Form>
  );
}

interface EditedProps {
  of: Permitted<typeof editTemplate>;
  template: AnswerTemplate;
  onDone: () => void;
}

function EditedTemplate({ of, template, onDone }: EditedProps): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(of, {
    initialValues: { id: template.templateID, name: template.name, text: template.text },
    onDone,
  });
  return (
    <Form form={form} submitLabel={t('work-orders.templates.save')} onCancel={onDone}>
      <TextField form={form} name="name" />
      <TextAreaField
        form={form}
        name="text"
        label={t('work-orders.templates.text')}
        description={t('work-orders.templates.words')}
      />
    </Form>
  );
}
