import { devicesToPlot } from '@sonnenwarte/contract/analysis/analysis';
import { IconArrowsExchange } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Dropdown } from '../blocks/form/dropdown.tsx';
import { RecordEntry } from '../blocks/widgets/record-entry.tsx';
import { type Compared, daysOf, type Span } from './address.ts';
import screen from './analysis.module.css';
import styles from './chooser.module.css';
import { useDaysText } from './time-text.ts';

interface ComparePartProps {
  span: Span;
  compared: Compared | undefined;
  onChange: (compared: Compared | undefined) => void;
}

/** With what the curves are compared: earlier days of the same devices, or another device at the same time. */
export function ComparePart({ span, compared, onChange }: ComparePartProps): ReactNode {
  const { t } = useTranslation();
  const daysText = useDaysText();
  const id = useId();
  const days = [...new Set([1, 7, daysOf[span], 365])].toSorted((a, b) => a - b).filter((each) => each >= daysOf[span]);
  const before = compared !== undefined && 'daysBefore' in compared ? compared.daysBefore : undefined;
  const deviceID = compared !== undefined && 'deviceID' in compared ? compared.deviceID : '';
  const choice = (label: string, checked: boolean, choose: () => void): ReactNode => (
    <label key={label}>
      <input type="radio" name={id} checked={checked} onChange={choose} />
      {label}
    </label>
  );
  return (
    <Dropdown
      className={screen.tool ?? ''}
      button={
        <>
          <IconArrowsExchange size={17} aria-hidden="true" />
          {t('analysis.compare')}
        </>
      }
    >
      {(hide) => (
        <fieldset className={styles.compare}>
          <legend>{t('analysis.compare')}</legend>
          {choice(t('analysis.withNothing'), compared === undefined, () => onChange(undefined))}
          {days.map((each) =>
            choice(t('analysis.earlier', { days: daysText(each) }), before === each, () =>
              onChange({ daysBefore: each }),
            ),
          )}
          <span id={`${id}-label`} className={styles.label}>
            {t('analysis.withDevice')}
          </span>
          <RecordEntry
            id={`${id}-device`}
            labelledBy={`${id}-label`}
            source={{ endpoint: devicesToPlot, search: t('analysis.searchDevice'), none: t('analysis.noDevice') }}
            value={deviceID}
            onChange={(chosen) => {
              onChange(chosen === '' ? undefined : { deviceID: chosen });
              if (chosen !== '') hide();
            }}
          />
        </fieldset>
      )}
    </Dropdown>
  );
}
