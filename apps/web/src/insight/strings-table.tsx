import type { DayEvidence } from '@sonnenwarte/contract/insight/evidence';
import { quantities } from '@sonnenwarte/contract/kinds';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import styles from './evidence.module.css';

interface StringsTableProps {
  strings: DayEvidence['strings'][number];
  /** Of all inverters of the plant, so that their bars can be held against each other. */
  mostPercent: number;
  timeZone: string;
}

/** Strings of an inverter side by side. */
export function StringsTable({
  strings: { deviceSN, atMs, rows },
  mostPercent,
  timeZone,
}: StringsTableProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const isOfStrings = rows.some(({ kind }) => kind === 'string');
  return (
    <section>
      <h3>{t('insight.evidence.strings', { device: deviceSN, time: format.time(atMs, timeZone) })}</h3>
      <table className={styles.strings}>
        <thead>
          <tr>
            <th scope="col">{t(isOfStrings ? 'insight.evidence.string' : 'insight.evidence.tracker')}</th>
            <th scope="col">V</th>
            <th scope="col">A</th>
            <th scope="col">{quantities.power.shown}</th>
            <th scope="col" className={styles.bar}>
              {t('insight.evidence.against')}
            </th>
            <th scope="col">%</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ n, voltageV, currentA, powerW, percent, weak }) => (
            <tr key={n} data-weak={weak || undefined}>
              <td>{n}</td>
              <td>{format.number(voltageV, 0)}</td>
              <td>{format.number(currentA, 1)}</td>
              <td>{format.number(powerW === null ? null : powerW / 1_000, 2)}</td>
              <td className={styles.bar}>
                <span style={{ width: `${(100 * (percent ?? 0)) / mostPercent}%` }} />
              </td>
              <td>{format.number(percent, 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
