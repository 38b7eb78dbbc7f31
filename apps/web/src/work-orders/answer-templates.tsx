import { type AnswerTemplate, templates } from '@sonnenwarte/contract/work-orders/answer-templates';
import type { WorkOrderRow } from '@sonnenwarte/contract/work-orders/work-order';
import { IconSettings, IconTemplate } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionMenu } from '../blocks/overlay/action-menu.tsx';
import { read } from '../client/queries.ts';
import styles from './composer.module.css';

const TemplatesDialog = lazy(async () => ({ default: (await import('./templates-dialog.tsx')).TemplatesDialog }));

/** What a template says of an order. */
const filledIn = ({ text }: AnswerTemplate, { asker, number, plantName }: WorkOrderRow): string =>
  text.replaceAll('{name}', asker).replaceAll('{number}', number).replaceAll('{plant}', plantName);

interface AnswerTemplatesProps {
  order: WorkOrderRow;
  onChosen: (text: string) => void;
}

/** Texts that answers begin with, and the way to keep them. */
export function AnswerTemplates({ order, onChosen }: AnswerTemplatesProps): ReactNode {
  const { t } = useTranslation();
  const [isManaging, setManaging] = useState(false);
  const { data } = useQuery(read(templates, {}, { quiet: true }));
  return (
    <>
      <ActionMenu
        className={styles.templates ?? ''}
        button={
          <>
            <IconTemplate size={16} aria-hidden="true" />
            {t('work-orders.templates.button')}
          </>
        }
        actions={[
          ...(data?.templates ?? []).map((template) => ({
            label: template.name,
            onSelect: () => onChosen(filledIn(template, order)),
          })),
          {
            label: t('work-orders.templates.manage'),
            icon: <IconSettings size={16} aria-hidden="true" />,
            onSelect: () => setManaging(true),
          },
        ]}
      />
      {isManaging && (
        <Suspense fallback={null}>
          <TemplatesDialog onClose={() => setManaging(false)} />
        </Suspense>
      )}
    </>
  );
}
