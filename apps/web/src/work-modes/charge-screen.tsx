import type { Result } from '@sonnenwarte/contract/endpoint';
import { EVERY_DAY, MOST_CHARGE_PERIODS, overlaps, type PlanPeriod } from '@sonnenwarte/contract/work-modes/plan';
import { charge, writeCharge } from '@sonnenwarte/contract/work-modes/work-modes';
import { IconPlus, IconSend } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Can } from '../blocks/actions/can.tsx';
import { OfPlant, PlantPartScreen, useOfPlant } from '../blocks/plant/of-plant.tsx';
import { Button } from '../blocks/show/button.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import type { Permitted } from '../client/permit.ts';
import { read, useWrite } from '../client/queries.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { PeriodFields } from './period-panel.tsx';
import { usePeriodText } from './period-text.ts';
import { PlanBand } from './plan-band.tsx';
import { editable, periodProblem } from './plan-edit.ts';
import { PlanKeys } from './plan-keys.tsx';
import { usePlanDraft } from './use-plan-draft.ts';
import styles from './work-modes.module.css';
import { isUnderWay, WriteState } from './write-state.tsx';

const REFRESH_MS = 30_000;
const UNDER_WAY_MS = 2_000;
type Device = Result<typeof charge>['devices'][number];

/** The two charge periods of each inverter of the plant in the address. */
export function ChargeScreen(): ReactNode {
  const { t } = useTranslation();
  return <OfPlant choose={t('work-modes.chooseForCharge')}>{(stationID) => <Charge stationID={stationID} />}</OfPlant>;
}

function Charge({ stationID }: { stationID: string }): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const { data, error, refetch } = useOfPlant(stationID, {
    ...read(charge, { stationID }),
    refetchInterval: ({ state }) =>
      state.data?.devices.some(({ commands }) => isUnderWay(commands)) ? UNDER_WAY_MS : REFRESH_MS,
  });
  if (!data) {
    if (error) return <UnreadRecord error={error} retry={() => void refetch()} list="plant-view" />;
    return (
      <LoadingSkeleton>
        <Skeleton width="16rem" height="2rem" />
        <Skeleton height="16rem" />
      </LoadingSkeleton>
    );
  }
  return (
    <PlantPartScreen title={label('work-charge')} stationID={stationID} stationName={data.stationName}>
      {data.devices.length === 0 && <EmptyState text={t('work-modes.noTaker')} />}
      {data.devices.map((device) => (
        <Panel key={device.deviceID} title={device.deviceSN}>
          <WriteState commands={device.commands} />
          {device.plan === null ? (
            <p>{t('work-modes.planUntold')}</p>
          ) : (
            <Periods device={device} readOnly={!data.can.write} />
          )}
        </Panel>
      ))}
    </PlantPartScreen>
  );
}

function Periods({ device, readOnly }: { device: Device; readOnly: boolean }): ReactNode {
  const { t } = useTranslation();
  const text = usePeriodText();
  const phone = useIsPhone();
  const plan = device.plan === null ? null : editable(device.plan);
  const isCharging = ({ action }: Pick<PlanPeriod, 'action'>) => action === 'gridCharge';
  const others = plan?.periods.filter((period) => !isCharging(period)) ?? [];
  const told = device.plan && { ...device.plan, periods: device.plan.periods.filter(isCharging) };
  const draft = usePlanDraft(told && { ...told, mode: 'batterySupport' });
  const { periods } = draft.plan;
  const inTheWay = periods.some((period) => others.some((other) => overlaps(other, period)));
  const isValid =
    !inTheWay &&
    periods.length <= MOST_CHARGE_PERIODS &&
    periods.every((_, place) => periodProblem(periods, place, draft.plan) === null);
  const canWrite = !readOnly && isValid && draft.isChanged && !isUnderWay(device.commands);
  return (
    <div className={styles.fields}>
      <PlanBand
        draft={draft}
        day={0}
        readOnly={readOnly}
        onEdit={(place) => document.getElementById(`${device.deviceID}-${place}`)?.querySelector('input')?.focus()}
        brief={phone}
      />
      {!readOnly && periods.length > 0 && <PlanKeys />}
      {others.length > 0 && (
        <p className={styles.note}>
          {t('work-modes.othersStay', {
            periods: others.map((period) => `${text.times(period)} ${text.action(period.action)}`).join(', '),
          })}
        </p>
      )}
      {inTheWay && <p className={styles.refusal}>{t('work-modes.problem.overlaps')}</p>}
      {device.plan?.mode !== 'batterySupport' && (
        <p className={styles.note}>{t('work-modes.chargeMode', { mode: t('work-modes.mode.batterySupport') })}</p>
      )}
      <div className={styles.chargeGrid}>
        {periods.map((_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a period is its place
          <fieldset key={place} id={`${device.deviceID}-${place}`}>
            <legend>{t('work-modes.chargePeriod', { number: place + 1 })}</legend>
            <PeriodFields draft={draft} place={place} readOnly={readOnly} chargeOnly />
          </fieldset>
        ))}
      </div>
      {draft.removed !== null && (
        <p className={styles.undo} role="status">
          {t('work-modes.removed')}
          <Button small onClick={draft.undo}>
            {t('work-modes.undo')}
          </Button>
        </p>
      )}
      {!readOnly && (
        <div className={styles.actions}>
          {periods.length < MOST_CHARGE_PERIODS && (
            <Button onClick={() => draft.add(0)}>
              <IconPlus size={16} aria-hidden="true" />
              {t('work-modes.addCharge')}
            </Button>
          )}
          <Can of={writeCharge}>
            {(of) => (
              <WriteChargeButton
                of={of}
                deviceID={device.deviceID}
                periods={periods.map((period) => ({ ...period, days: period.days || EVERY_DAY }))}
                canWrite={canWrite}
                onDone={draft.reset}
              />
            )}
          </Can>
        </div>
      )}
    </div>
  );
}

interface WriteChargeProps {
  of: Permitted<typeof writeCharge>;
  deviceID: string;
  periods: PlanPeriod[];
  canWrite: boolean;
  onDone: () => void;
}

function WriteChargeButton({ of, deviceID, periods, canWrite, onDone }: WriteChargeProps): ReactNode {
  const { t } = useTranslation();
  const writing = useWrite(of);
  return (
    <Button
      look="filled"
      disabled={!canWrite || writing.isPending}
      onClick={() => writing.mutate({ deviceID, periods }, { onSuccess: onDone })}
    >
      <IconSend size={17} aria-hidden="true" />
      {t('work-modes.writeCharge')}
    </Button>
  );
}
