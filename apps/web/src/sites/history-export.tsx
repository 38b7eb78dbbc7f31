import { type ExportFormat, exportFormats } from '@sonnenwarte/contract/exports';
import { historyExport } from '@sonnenwarte/contract/sites/site-endpoints';
import {
  type HistoryStep,
  type HistoryVariable,
  historyNames,
  historySteps,
  historyVariables,
  MAX_FINE_DAYS,
} from '@sonnenwarte/contract/sites/site-history';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import checkBox from '../blocks/form/check-box.module.css';
import { DayPicker } from '../blocks/form/day-picker.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Select } from '../blocks/form/select.tsx';
import type { TimeRangeValue } from '../blocks/form/time-range.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import { download } from '../client/download.ts';
import { type CalendarDay, daysOfMonth } from '../format/dates.ts';
import { useLineBroken } from '../live/line-state.ts';
import styles from './history-export.module.css';

const DAY_MS = 86_400_000;
const isFlow = (variable: HistoryVariable): boolean => historyNames[variable].length === 2;
const firstChosen: readonly HistoryVariable[] = ['PVEnergyTotal', 'loads', 'charger', 'feedin', 'gridConsumption'];

/** The days of a range that is looked at; of all years the running one. */
function daysIn({ span, day }: TimeRangeValue, today: CalendarDay): { first: CalendarDay; last: CalendarDay } {
  const until = (last: CalendarDay) => (last > today ? today : last);
  if (span === 'day') return { first: day, last: day };
  if (span === 'month')
    return {
      first: `${day.slice(0, 8)}01`,
      last: until(`${day.slice(0, 8)}${String(daysOfMonth(day)).padStart(2, '0')}`),
    };
  const year = span === 'year' ? day.slice(0, 4) : today.slice(0, 4);
  return { first: `${year}-01-01`, last: until(`${year}-12-31`) };
}

const stepOf = { day: '5min', month: 'day', year: 'month', total: 'month' } as const satisfies Record<
  TimeRangeValue['span'],
  HistoryStep
>;

interface HistoryExportProps {
  stationID: string;
  today: CalendarDay;
  /** What is looked at, which the file holds unless chosen otherwise. */
  range: TimeRangeValue;
  onClose: () => void;
}

/** A range of days, a step and what is wanted, as a file. */
export function HistoryExport({ stationID, today, range, onClose }: HistoryExportProps): ReactNode {
  const { t } = useTranslation();
  const broken = useLineBroken();
  const [{ first, last }, setDays] = useState(() => daysIn(range, today));
  const [step, setStep] = useState<HistoryStep>(stepOf[range.span]);
  const [chosen, setChosen] = useState(firstChosen);
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [busy, setBusy] = useState(false);
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  const problem =
    days < 1
      ? t('sites.export.order')
      : step === '5min' && days > MAX_FINE_DAYS
        ? t('sites.export.tooLong', { days: MAX_FINE_DAYS })
        : broken
          ? t('common.noConnection')
          : undefined;

  const save = async (): Promise<void> => {
    if (busy || problem !== undefined || chosen.length === 0) return;
    setBusy(true);
    const variables = historyVariables.filter((variable) => chosen.includes(variable));
    try {
      const input = { stationID, firstDay: first, lastDay: last, step, variables, format };
      await download(historyExport, input, `export.${format}`);
      onClose();
    } catch {
      // The client has said it.
    } finally {
      setBusy(false);
    }
  };

  const nameOf = (variable: HistoryVariable): string => historyNames[variable].map((key) => t(key)).join(' → ');
  const boxes = (variables: readonly HistoryVariable[]): ReactNode => (
    <div className={styles.boxes}>
      {variables.map((variable) => (
        <label key={variable}>
          <input
            type="checkbox"
            className={checkBox.box}
            checked={chosen.includes(variable)}
            onChange={({ currentTarget: { checked } }) =>
              setChosen(checked ? [...chosen, variable] : chosen.filter((each) => each !== variable))
            }
          />
          {nameOf(variable)}
        </label>
      ))}
    </div>
  );

  return (
    <Dialog
      title={t('sites.export.open')}
      opened
      onClose={onClose}
      footer={
        <Button
          look="filled"
          wide
          aria-disabled={busy || problem !== undefined || chosen.length === 0}
          onClick={() => void save()}
        >
          {t('sites.export.save')}
        </Button>
      }
    >
      <div className={styles.form}>
        <div className={styles.days}>
          <span>{t('sites.export.from')}</span>
          <DayPicker
            label={t('sites.export.from')}
            className={styles.day ?? ''}
            value={first}
            min="2000-01-01"
            max={today}
            onChange={(day) => setDays({ first: day, last: last < day ? day : last })}
          />
          <span>{t('sites.export.to')}</span>
          <DayPicker
            label={t('sites.export.to')}
            className={styles.day ?? ''}
            value={last}
            min="2000-01-01"
            max={today}
            onChange={(day) => setDays({ first: first > day ? day : first, last: day })}
          />
        </div>
        <Select
          label={t('sites.export.step')}
          value={step}
          onChange={(value) => setStep(historySteps.find((each) => each === value) ?? step)}
          options={historySteps.map((each) => ({ value: each, label: t(`sites.export.step_${each}`) }))}
        />
        <fieldset>
          <legend>{t('sites.export.variables')}</legend>
          {boxes(historyVariables.filter((variable) => !isFlow(variable)))}
          <details>
            <summary>{t('sites.export.flows')}</summary>
            {boxes(historyVariables.filter(isFlow))}
          </details>
        </fieldset>
        <Segmented
          label={t('sites.export.format')}
          value={format}
          options={exportFormats.map((each) => ({ value: each, label: t(`blocks.export.${each}`) }))}
          onChange={setFormat}
        />
        <p role="status" className={styles.problem}>
          {problem}
        </p>
      </div>
    </Dialog>
  );
}
