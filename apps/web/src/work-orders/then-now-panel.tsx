import type { WorkOrderDetail } from '@sonnenwarte/contract/work-orders/work-orders';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../blocks/show/panel.tsx';
import { usePointTexts } from '../devices/point-text.ts';
import { joinQuantity } from '../format/quantities.ts';
import styles from './order.module.css';

/** The foremost values when it was asked, and as they are now. */
export function ThenNowPanel({ data: { entries, now } }: { data: WorkOrderDetail }): ReactNode {
  const { t } = useTranslation();
  const points = usePointTexts();
  const then = entries.find(({ kind }) => kind === 'snapshot')?.values ?? [];
  const compared = now.flatMap((value) => {
    const held = then.find(({ variable, deviceSN }) => variable === value.variable && deviceSN === value.deviceSN);
    return held === undefined ? [] : [{ held, value }];
  });
  if (compared.length === 0) return null;
  const isOfSeveral = new Set(compared.map(({ held }) => held.deviceSN)).size > 1;
  return (
    <Panel title={t('work-orders.values.title')}>
      <table className={styles.compared}>
        <thead>
          <tr>
            <th scope="col">{t('work-orders.values.variable')}</th>
            <th scope="col">{t('work-orders.values.then')}</th>
            <th scope="col">{t('work-orders.values.now')}</th>
          </tr>
        </thead>
        <tbody>
          {compared.map(({ held, value }) => (
            <tr key={`${held.deviceSN} ${held.variable}`}>
              <th scope="row">
                {points.label(held.variable)}
                {isOfSeveral && <small translate="no"> {held.deviceSN}</small>}
              </th>
              <td>{joinQuantity(points.value(held.value, held.unit, held.phrase))}</td>
              <td>{joinQuantity(points.value(value.value, value.unit, value.phrase))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
