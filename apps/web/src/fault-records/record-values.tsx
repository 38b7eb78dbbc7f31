import type { RecordContent, RecordValue } from '@sonnenwarte/contract/fault-records/fault-record';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePointTexts } from '../devices/point-text.ts';
import { joinQuantity } from '../format/quantities.ts';
import styles from './records.module.css';

interface RecordValuesProps {
  content: RecordContent;
  compared: RecordContent | undefined;
  comparedName: string;
}

/** What the inverter measured when the fault began; what was out of its limits comes first and says so. */
export function RecordValues({ content, compared, comparedName }: RecordValuesProps): ReactNode {
  const { t } = useTranslation();
  const texts = usePointTexts();
  const others = new Map(compared?.values.map((value) => [value.variable, value]));
  const values = content.values.toSorted((a, b) => Number(b.isOutside) - Number(a.isOutside));
  const told = ({ value, unit, phrase }: RecordValue): string => joinQuantity(texts.value(value, unit, phrase));
  const limit = (value: number | null, unit: string): string =>
    value === null ? '' : joinQuantity(texts.value(value, unit));
  const limits = ({ low, high, unit }: RecordValue): string =>
    low === null
      ? high === null
        ? ''
        : `≤ ${limit(high, unit)}`
      : high === null
        ? `≥ ${limit(low, unit)}`
        : `${limit(low, unit)} – ${limit(high, unit)}`;
  return (
    <div className={styles.values}>
      <h3>{t('fault-records.record.values')}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('fault-records.column.variable')}</th>
            <th scope="col">{t('fault-records.column.value')}</th>
            {compared && <th scope="col">{comparedName}</th>}
            <th scope="col">{t('fault-records.column.limits')}</th>
          </tr>
        </thead>
        <tbody>
          {values.map((value) => {
            const other = others.get(value.variable);
            return (
              <tr key={value.variable} data-outside={value.isOutside || undefined}>
                <th scope="row" title={value.variable}>
                  {texts.label(value.variable)}
                </th>
                <td>
                  {value.isOutside && <IconAlertTriangle size={14} aria-label={t('fault-records.record.outside')} />}
                  {told(value)}
                </td>
                {compared && <td>{other ? told(other) : t('fault-records.record.missed')}</td>}
                <td>{limits(value)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
