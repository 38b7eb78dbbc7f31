import type { WorkOrderRow } from '@sonnenwarte/contract/work-orders/work-order';
import { detail, type handDown, type handUp } from '@sonnenwarte/contract/work-orders/work-orders';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField, TextAreaField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { ReadFirst } from '../blocks/overlay/read-first.tsx';
import { read } from '../client/queries.ts';

/** Who asked and hands on says to all what others say to those who take over alone. */
const wordTexts = ({ isOwn, asker }: WorkOrderRow, t: TFunction) =>
  isOwn
    ? { label: t('work-orders.composer.label'), description: t('work-orders.composer.readsOwn') }
    : { label: t('work-orders.hand.note'), description: t('work-orders.hand.noteHint', { name: asker }) };

/** The organisation above has it from then on. */
export function HandUpForm({ row, of, onClose, onDone, words }: ActionProps<WorkOrderRow, typeof handUp>): ReactNode {
  const { t } = useTranslation();
  const { data } = useQuery(read(detail, { id: row.orderID }));
  const name = data?.above?.name ?? '';
  const form = useEndpointForm(of, {
    initialValues: { id: row.orderID, text: '' },
    onDone: () => {
      onDone();
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={name === '' ? words.label : t('work-orders.hand.up', { name })}
      opened
      onClose={onClose}
      submitLabel={words.label}
    >
      {name !== '' && <p>{t('work-orders.hand.meaning', { name })}</p>}
      <TextAreaField form={form} name="text" {...wordTexts(row, t)} />
    </FormDialog>
  );
}

/** One of the organisations below, on the way to the plant, has it from then on. */
export function HandDownForm(props: ActionProps<WorkOrderRow, typeof handDown>): ReactNode {
  const query = useQuery(read(detail, { id: props.row.orderID }));
  return (
    <ReadFirst query={query} title={props.words.label} shape="drawer" onClose={props.onClose}>
      {({ below }) => <HandDown {...props} below={below} />}
    </ReadFirst>
  );
}

interface HandDownProps extends ActionProps<WorkOrderRow, typeof handDown> {
  below: readonly { organisationID: string; name: string }[];
}

function HandDown({ row, of, onClose, onDone, words, below }: HandDownProps): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(of, {
    initialValues: { id: row.orderID, organisationID: below[0]?.organisationID ?? '', text: '' },
    onDone: () => {
      onDone();
      onClose();
    },
  });
  const name = below.find(({ organisationID }) => organisationID === form.values.organisationID)?.name ?? '';
  return (
    <FormDialog form={form} title={t('work-orders.hand.down')} opened onClose={onClose} submitLabel={words.label}>
      <SelectField
        form={form}
        name="organisationID"
        options={below.map(({ organisationID, name: label }) => ({ value: organisationID, label }))}
      />
      {name !== '' && <p>{t('work-orders.hand.meaning', { name })}</p>}
      <TextAreaField form={form} name="text" {...wordTexts(row, t)} />
    </FormDialog>
  );
}
