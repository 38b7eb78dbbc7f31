import type { RepairChannel } from '@sonnenwarte/contract/data-repair/corrections';
import type { Preview } from '@sonnenwarte/contract/data-repair/data-repair';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './repair.module.css';

interface Line {
  name: string;
  before: number | null;
  after: number | null;
}

const UNIT = 'kWh';
/** Of days, so many are listed each for itself. */
const MOST_DAYS = 5;

/** The figures of a plant before a correction and with it. */
export function PreviewTable({ preview, channel }: { preview: Preview; channel: RepairChannel }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { days, months, totalWh, currency } = preview;
  const energies: Line[] = [
    { name: t('data-repair.thisCounter'), before: preview.formerWh, after: preview.energyWh },
    ...days.slice(0, MOST_DAYS).map(({ day, beforeWh, afterWh }) => ({
      name: format.day(day),
      before: beforeWh,
      after: afterWh,
    })),
    ...months.map(({ month, energyWh }) => ({ name: format.month(`${month}-01`), ...energyWh })),
    { name: t('common.span.total'), ...totalWh },
  ];
  const money = months.filter(({ money: each }) => each.before !== null || each.after !== null);
  const kWh = (wh: number | null): string => (wh === null ? NOT_MEASURED : format.number(wh / 1_000, 1));
  const difference = ({ before, after }: Line): string => signed((after ?? 0) - (before ?? 0), kWh);
  const amount = (text: string | null): string => (text === null ? NOT_MEASURED : format.money(text, currency));
  return (
    <table className={styles.preview}>
      <caption>
        {t('data-repair.changes')} · {t(`data-repair.channel.${channel}`)} · {UNIT}
      </caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{t('data-repair.before')}</th>
          <th scope="col">{t('data-repair.after')}</th>
          <th scope="col">{t('data-repair.difference')}</th>
        </tr>
      </thead>
      <tbody>
        {energies.map((line) => (
          <tr key={line.name}>
            <th scope="row">{line.name}</th>
            <td>{kWh(line.before)}</td>
            <td>
              <strong>{kWh(line.after)}</strong>
            </td>
            <td>{difference(line)}</td>
          </tr>
        ))}
        {money.map(({ month, money: { before, after } }) => (
          <tr key={`money ${month}`}>
            <th scope="row">{t('data-repair.money', { month: format.month(`${month}-01`) })}</th>
            <td>{amount(before)}</td>
            <td>
              <strong>{amount(after)}</strong>
            </td>
            <td>{signed(Number(after ?? 0) - Number(before ?? 0), (value) => amount(value.toFixed(2)))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A difference with its sign, also where it is more. */
function signed(value: number, text: (value: number) => string): string {
  const magnitude = text(Math.abs(value));
  if (magnitude === text(0)) return magnitude;
  return `${value > 0 ? '+' : '−'}${magnitude}`;
}
