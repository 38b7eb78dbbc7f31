import type { StringRow } from '@sonnenwarte/contract/devices/string-rows';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import styles from './strings-table.module.css';

/** The bar's middle is the median: twice of it fills the bar. */
const FULL_PERCENT = 200;

interface StringsTableProps {
  rows: readonly StringRow[];
  late: boolean;
  /** Of the inverter, where several stand below each other. */
  name?: string;
  /** The same rows by what they have in common, which stands above them. */
  groups?: readonly { readonly title: string; readonly rows: readonly StringRow[] }[];
  /** Word before the sum of their powers; without it there is none. */
  sum?: string;
}

/** Strings with voltage, current, power and a bar against their neighbours; the weak one stands out. */
export function StringsTable({ rows, late, name, groups = [], sum }: StringsTableProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const label = [t('devices.strings.title'), name].filter(Boolean).join(', ');
  const hasTrackers = rows.some(({ kind, tracker }) => kind === 'string' && tracker !== null);
  const parts = groups.length > 0 ? groups : [{ title: '', rows }];
  const powers = rows.flatMap(({ powerW }) => (powerW === null ? [] : [powerW]));
  const sumW = powers.length === rows.length ? powers.reduce((all, powerW) => all + powerW, 0) : null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={label}>
      <table className={styles.strings} data-late={late || undefined}>
        <thead>
          <tr>
            <th scope="col">{t('devices.strings.title')}</th>
            {hasTrackers && <th scope="col">{t('devices.strings.mppt')}</th>}
            <th scope="col">V</th>
            <th scope="col">A</th>
            <th scope="col">W</th>
            <th scope="col">{t('devices.strings.neighbours')}</th>
          </tr>
        </thead>
        {parts.map((part) => (
          <tbody key={part.title}>
            {part.title !== '' && (
              <tr className={styles.group}>
                <th scope="rowgroup" colSpan={hasTrackers ? 6 : 5}>
                  {part.title}
                </th>
              </tr>
            )}
            {part.rows.map((row) => (
              <tr key={`${row.kind}${row.n}`} data-weak={(row.weak && !late) || undefined}>
                <th scope="row">{t(`devices.strings.${row.kind}`, { n: row.n })}</th>
                {hasTrackers && <td>{row.tracker === null ? '–' : format.number(row.tracker)}</td>}
                <td>{format.number(row.voltageV, 1)}</td>
                <td>{format.number(row.currentA, 2)}</td>
                <td>{format.number(row.powerW)}</td>
                <td>
                  {row.percent === null ? (
                    '–'
                  ) : (
                    <span className={styles.against}>
                      <span className={styles.bar} aria-hidden="true">
                        <i style={{ width: `${Math.min(100, (100 * row.percent) / FULL_PERCENT)}%` }} />
                      </span>
                      {format.percent(row.percent)}
                      {row.weak && !late && <b>{t('devices.strings.weak')}</b>}
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        ))}
        {sum !== undefined && sumW !== null && (
          <tfoot>
            <tr>
              <th scope="row">{sum}</th>
              {hasTrackers && <td />}
              <td />
              <td />
              <td>{format.number(sumW)}</td>
              <td />
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}
