import { decimalsOf, isLowest, unitOf } from '@sonnenwarte/contract/burn-in/plan';
import type { Verdict } from '@sonnenwarte/contract/burn-in/rows';
import { IconCircleCheckFilled, IconCircleDashed, IconCircleXFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { useAlarmText } from '../format/alarm-text.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './burn-in.module.css';
import { levelWord } from './level-word.ts';

const marks = {
  holds: { Icon: IconCircleCheckFilled, state: 'passed' },
  broken: { Icon: IconCircleXFilled, state: 'failed' },
  open: { Icon: IconCircleDashed, state: 'waiting' },
} as const;

/** Each limit of the plan with the worst that was measured. */
export function Verdicts({ verdicts }: { verdicts: readonly Verdict[] }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const alarmText = useAlarmText();
  if (verdicts.length === 0) return <EmptyState text={t('burn-in.unit.noLimits')} />;
  const amount = ({ limit, allowed, measured }: Verdict, value: number): string =>
    `${format.number(value, decimalsOf(limit, allowed, measured))} ${unitOf[limit]}`;
  const allowedOf = (verdict: Verdict): string =>
    verdict.limit === 'failLevel'
      ? levelWord(verdict.allowed, t)
      : `${isLowest(verdict.limit) ? '≥' : '≤'} ${amount(verdict, verdict.allowed)}`;
  const measuredOf = (verdict: Verdict): string => {
    const { limit, measured } = verdict;
    if (measured === null) return '–';
    return limit === 'failLevel' ? `${measured} ${alarmText(measured).name}` : amount(verdict, measured);
  };
  const label = `${t('burn-in.unit.verdict')}: ${t('burn-in.unit.result')}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section className={styles.scroll} tabIndex={0} aria-label={label}>
      <table className={styles.verdicts}>
        <thead>
          <tr>
            {(['limit', 'allowed', 'measured', 'when', 'result'] as const).map((column) => (
              <th key={column} scope="col" data-column={column}>
                {t(`burn-in.unit.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {verdicts.map((verdict) => {
            const result = verdict.holds === null ? 'open' : verdict.holds ? 'holds' : 'broken';
            const { Icon, state } = marks[result];
            return (
              <tr key={verdict.limit}>
                <th scope="row">{t(`burn-in.limit.${verdict.limit}`)}</th>
                <td>{allowedOf(verdict)}</td>
                <td>
                  {measuredOf(verdict)}
                  {verdict.atMs !== null && <small>{format.localTime(verdict.atMs)}</small>}
                </td>
                <td data-column="when">{format.localTime(verdict.atMs)}</td>
                <td>
                  <span className={styles.state} data-state={state}>
                    <Icon size={16} aria-hidden="true" />
                    {t(`burn-in.unit.${result}`)}
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
