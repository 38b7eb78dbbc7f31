import { acknowledge, type IncidentRow, type note } from '@sonnenwarte/contract/incidents/incidents';
import { IconSend } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermit } from '../blocks/actions/can.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextAreaField } from '../blocks/form/fields.tsx';
import { RestoredNote } from '../blocks/form/form.tsx';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import type { Permitted } from '../client/permit.ts';
import { useWrite } from '../client/queries.ts';
import styles from './incident.module.css';

interface CommentBoxProps {
  of: Permitted<typeof note>;
  incident: IncidentRow;
}

/** What somebody writes of an incident; while nobody has taken notice, the two can be said at once. */
export function CommentBox({ of, incident }: CommentBoxProps): ReactNode {
  const { t } = useTranslation();
  const permitted = usePermit()(acknowledge);
  const form = useEndpointForm(of, {
    initialValues: { id: incident.incidentID, text: '' },
    onDone: () => {
      form.discard();
    },
  });
  const isEmpty = String(form.values.text).trim() === '';
  return (
    <form ref={form.element} className={styles.comment} onSubmit={form.submit} aria-busy={form.busy} noValidate>
      <RestoredNote form={form} />
      <TextAreaField form={form} name="text" rows={2} />
      {form.failure !== undefined && <ErrorNotice error={form.failure} />}
      <div className={styles.buttons}>
        <Button type="submit" small aria-disabled={form.busy}>
          <IconSend size={16} aria-hidden="true" />
          {t('incidents.comment.send')}
        </Button>
        {permitted && incident.state === 'open' && !isEmpty && (
          <AcknowledgeWith
            of={permitted}
            input={{ ids: [incident.incidentID], comment: form.values.text }}
            onDone={form.discard}
          />
        )}
      </div>
    </form>
  );
}

interface AcknowledgeProps {
  of: Permitted<typeof acknowledge>;
  input: { ids: string[]; comment: string };
  onDone: () => void;
}

function AcknowledgeWith({ of, input, onDone }: AcknowledgeProps): ReactNode {
  const { t } = useTranslation();
  const { mutate, isPending } = useWrite(of);
  return (
    <Button
      small
      aria-disabled={isPending}
      onClick={() => {
        if (!isPending) mutate(input, { onSuccess: onDone });
      }}
    >
      {t('incidents.comment.acknowledge')}
    </Button>
  );
}
