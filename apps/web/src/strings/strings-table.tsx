import { LOW_PERCENT, type StringRow } from '@sonnenwarte/contract/devices/string-rows';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import styles from './strings-table.module.css';

/** The bar's middle is the mean of its neighbours: twice of it fills the bar. */
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

/** Below it the sun is too low to say anything of neighbours. */
const LEAST_A = 1;

/** Strings with voltage, current, power and a bar against their neighbours; weak ones stand out. */
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
            <th scope="col">%</th>
          </tr>
        </thead>
        {parts.map((part) => (
          <tbody key={part.title}>
            {part.title !== '' && (
              <tr className={styles.group}>
                <th scope="rowgroup" colSpan={hasTrackers ? 7 : 6}>
                  {part.title}
                </th>
              </tr>
            )}
            {part.rows.map((row) => (
              <tr key={`${row.kind}${row.n}`} data-share={shareOf(row, late)}>
                <th scope="row">{t(`devices.strings.${row.kind}`, { n: row.n })}</th>
                {hasTrackers && <td data-cell="mppt">{row.tracker === null ? '–' : format.number(row.tracker)}</td>}
                <td data-unit="V">{format.number(row.voltageV, 1)}</td>
                <td data-unit="A">{format.number(row.currentA, 2)}</td>
                <td data-unit="W">{format.number(row.powerW)}</td>
                {row.percent === null ? (
                  <td colSpan={2} data-cell="alone">
                    {isAlone(row, rows) ? `– ${t('devices.strings.alone')}` : '–'}
                  </td>
                ) : (
                  <>
                    <td data-cell="bar">
                      <span className={styles.against}>
                        <span className={styles.bar} aria-hidden="true">
                          <i style={{ width: `${Math.min(100, (100 * row.percent) / FULL_PERCENT)}%` }} />
                        </span>
                        {row.weak && !late && <b>{t('devices.strings.weak')}</b>}
                      </span>
                    </td>
                    <td data-cell="percent">{format.number(row.percent)}</td>
                  </>
                )}
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
              <td data-unit="W">{format.number(sumW)}</td>
              <td />
              <td />
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}

/** How far it is behind, where its values are those of now. */
function shareOf({ weak, percent }: StringRow, late: boolean): 'weak' | 'low' | undefined {
  if (late || percent === null) return undefined;
  return weak ? 'weak' : percent < LOW_PERCENT ? 'low' : undefined;
}

/** In the light, and beside none that is weak, it is held against nobody because nobody is alike. */
const isAlone = ({ currentA }: StringRow, rows: readonly StringRow[]): boolean =>
  currentA !== null && currentA >= LEAST_A && !rows.some(({ weak }) => weak);
