import {
  type ChargingMode,
  chargingModes,
  LEAST_CHARGING_A,
  MOST_CHARGING_A,
  type Pile,
  type setMode,
} from '@sonnenwarte/contract/chargers/chargers';
import { type ChargingTime, MOST_CHARGING_TIMES, spanOf } from '@sonnenwarte/contract/chargers/charging-times';
import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { FieldRow, Form } from '../blocks/form/form.tsx';
import { NumberField } from '../blocks/form/number-field.tsx';
import { RowGroup } from '../blocks/form/row-group.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { TimeField } from '../blocks/form/time-field.tsx';
import type { Permitted } from '../client/permit.ts';
import { showNotice } from '../notices/notices.ts';
import styles from './chargers.module.css';

interface Values {
  deviceID: string;
  mode: ChargingMode;
  limitA: number | string;
  times: ChargingTime[];
}

const DAY_MINUTES = 24 * 60;

/** How a pile charges, with what each way means before it is chosen. */
export function ModeForm({ pile, of }: { pile: Pile; of: Permitted<typeof setMode> }): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(of, {
    initialValues: {
      deviceID: pile.deviceID,
      mode: pile.mode,
      limitA: pile.limitA ?? '',
      times: [...pile.times],
    } as Values,
    draft: pile.deviceID,
    prepare: ({ limitA, ...values }) => ({ ...values, limitA: limitA === '' ? null : limitA }),
    check: ({ mode, times }) => ({
      times: mode === 'scheduled' && times.length === 0 ? t('chargers.noTimes') : undefined,
    }),
    reasons: { times: t('chargers.badTimes') },
    onDone: () => showNotice({ id: 'pile-mode', text: t('chargers.modeSaved'), color: 'brand' }),
  });
  const { mode, times } = form.values;
  return (
    <Form form={form} submitLabel={t('chargers.save')} onlyChanged>
      <Segmented
        label={t('chargers.field.mode')}
        value={mode}
        wide
        options={chargingModes.map((value) => ({ value, label: t(`chargers.mode.${value}`) }))}
        onChange={(value) => form.setValue('mode', value)}
      />
      <p className={styles.meaning}>{t(`chargers.meaning.${mode}`)}</p>
      {mode === 'scheduled' && (
        <>
          <TimesBand times={times} />
          <RowGroup
            form={form}
            name="times"
            rowName={t('chargers.time')}
            addLabel={t('chargers.addTime')}
            most={MOST_CHARGING_TIMES}
            make={() => ({ from: '22:00', to: '06:00' })}
          >
            {(row) => (
              <FieldRow>
                <TimeField form={form} name={`${row.path}.from`} label={t('chargers.from')} required />
                <TimeField form={form} name={`${row.path}.to`} label={t('chargers.to')} required />
              </FieldRow>
            )}
          </RowGroup>
        </>
      )}
      <NumberField
        form={form}
        name="limitA"
        unit="A"
        integer
        description={t('chargers.limitHint', {
          least: LEAST_CHARGING_A,
          most: Math.min(MOST_CHARGING_A, pile.mostCurrentA),
        })}
      />
    </Form>
  );
}

const share = (minutes: number): string => `${(minutes / DAY_MINUTES) * 100}%`;
const isWhole = ({ from, to }: ChargingTime): boolean => /^\d\d:\d\d$/.test(from) && /^\d\d:\d\d$/.test(to);

/** The day as a band, with the times at which may be charged; a time past midnight stands at both ends. */
function TimesBand({ times }: { times: readonly ChargingTime[] }): ReactNode {
  const parts = times.filter(isWhole).flatMap((time) => {
    const { startMin, minutes } = spanOf(time);
    const first = Math.min(minutes, DAY_MINUTES - startMin);
    return [
      { startMin, minutes: first },
      { startMin: 0, minutes: minutes - first },
    ];
  });
  return (
    <div className={styles.band} aria-hidden="true">
      {parts.map(
        ({ startMin, minutes }, place) =>
          minutes > 0 && (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the day
              key={place}
              style={{ '--from': share(startMin), '--long': share(minutes) } as CSSProperties}
            />
          ),
      )}
      {[0, 6, 12, 18, 24].map((hour) => (
        <small key={hour} style={{ '--from': share(hour * 60) } as CSSProperties}>
          {hour}:00
        </small>
      ))}
    </div>
  );
}
