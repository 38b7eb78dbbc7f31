import { templateContent } from '@sonnenwarte/contract/work-modes/plan';
import { addTemplate, removeTemplate, type Template, templates } from '@sonnenwarte/contract/work-modes/work-modes';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextField } from '../blocks/form/fields.tsx';
import { Form } from '../blocks/form/form.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button, IconButton } from '../blocks/show/button.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { read, useWrite } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { showNotice } from '../notices/notices.ts';
import { usePeriodText } from './period-text.ts';
import type { PlanDraft } from './use-plan-draft.ts';
import styles from './work-modes.module.css';

interface TemplatesDialogProps {
  draft: PlanDraft;
  readOnly: boolean;
  onClose: () => void;
}

/** Plans kept under a name: one is taken into the band, or the band is kept as one. */
export function TemplatesDialog({ draft, readOnly, onClose }: TemplatesDialogProps): ReactNode {
  const { t } = useTranslation();
  const { data } = useQuery(read(templates, {}));
  const take = ({ content }: Template) => {
    const { mode, minSoc, periods, pricePeriods } = content;
    draft.set({
      mode,
      minSoc,
      periods,
      ...(pricePeriods !== null && draft.plan.pricePeriods !== null && { pricePeriods }),
    });
    onClose();
  };
  return (
    <Dialog title={t('work-modes.templates')} opened onClose={onClose} wide>
      <div className={styles.fields}>
        {data === undefined ? (
          <Skeleton height="6rem" />
        ) : data.templates.length === 0 ? (
          <p>{t('work-modes.noTemplate')}</p>
        ) : (
          <ul className={styles.templates}>
            {data.templates.map((template) => (
              <TemplateRow
                key={template.templateID}
                template={template}
                readOnly={readOnly}
                onTake={() => take(template)}
              />
            ))}
          </ul>
        )}
        <KeepForm draft={draft} />
      </div>
    </Dialog>
  );
}

interface TemplateRowProps {
  template: Template;
  readOnly: boolean;
  onTake: () => void;
}

function TemplateRow({ template, readOnly, onTake }: TemplateRowProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const text = usePeriodText();
  const removing = useWrite(removeTemplate);
  const { name, content, templateID, by, can } = template;
  return (
    <li>
      <span className={styles.templateName}>
        <b>{name}</b>
        <small>
          {[
            t(`work-modes.mode.${content.mode}`),
            t('work-modes.leastSoc', { soc: format.percent(content.minSoc) }),
            ...content.periods.map((period) => `${text.times(period)} ${text.action(period.action)}`),
            by,
          ]
            .filter((part) => part !== '')
            .join(' · ')}
        </small>
      </span>
      {!readOnly && (
        <Button small aria-label={t('work-modes.takeThis', { plan: name })} onClick={onTake}>
          {t('work-modes.take')}
        </Button>
      )}
      {can.remove && (
        <IconButton
          aria-label={t('work-modes.removeTemplate', { name })}
          disabled={removing.isPending}
          onClick={() => removing.mutate({ templateID })}
        >
          <IconTrash size={18} aria-hidden="true" />
        </IconButton>
      )}
    </li>
  );
}

function KeepForm({ draft }: { draft: PlanDraft }): ReactNode {
  const { t } = useTranslation();
  const { mode, minSoc, periods, pricePeriods } = draft.plan;
  const content = { mode, minSoc, periods, pricePeriods };
  const form = useEndpointForm(addTemplate, {
    initialValues: { name: '' },
    prepare: ({ name }) => ({ name, content }),
    onDone: () => showNotice({ id: 'work-mode-template', text: t('work-modes.kept'), color: 'brand' }),
  });
  if (!templateContent.safeParse(content).success) return null;
  return (
    <Form form={form} submitLabel={t('work-modes.keep')}>
      <TextField form={form} name="name" />
    </Form>
  );
}
