import type { WorkOrderDetail } from '@sonnenwarte/contract/work-orders/work-orders';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../blocks/show/panel.tsx';
import { PropertyList } from '../blocks/show/property-list.tsx';
import { useFormat } from '../format/use-format.ts';

/** Who asked, who has it, and how much of it who asked may read. */
export function PeoplePanel({ data: { order, entries, earlier, internal } }: { data: WorkOrderDetail }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { asker, askerAccount, askerOrganisation, contact, holder, assignee } = order;
  const total = entries.length + earlier;
  return (
    <Panel title={t('work-orders.people.title')}>
      <PropertyList
        items={[
          {
            label: t('work-orders.people.asker'),
            value: [asker, askerAccount === asker ? '' : askerAccount, internal === null ? '' : askerOrganisation]
              .filter((each) => each !== '')
              .join(' · '),
          },
          { label: t('work-orders.people.contact'), value: contact },
          { label: t('work-orders.people.holder'), value: holder },
          { label: t('work-orders.people.assignee'), value: assignee || t('work-orders.people.nobody') },
          ...(internal === null
            ? []
            : [
                {
                  label: t('work-orders.people.openToAll'),
                  value: t('work-orders.people.readable', { count: total, readable: format.number(total - internal) }),
                },
              ]),
        ]}
      />
    </Panel>
  );
}
