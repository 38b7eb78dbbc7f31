import { list } from '@sonnenwarte/contract/sites/sites';
import { plan as planSchema } from '@sonnenwarte/contract/work-modes/plan';
import type { WorkMode, write } from '@sonnenwarte/contract/work-modes/work-modes';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import fields from '../blocks/form/fields.module.css';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import type { Permitted } from '../client/permit.ts';
import { read, useWrite } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { showNotice } from '../notices/notices.ts';
import { usePeriodText } from './period-text.ts';
import type { PlanDraft } from './use-plan-draft.ts';
import styles from './work-modes.module.css';

interface WriteDialogProps {
  of: Permitted<typeof write>;
  stationID: string;
  view: WorkMode;
  draft: PlanDraft;
  /** Other plants are chosen too. */
  withOthers: boolean;
  onClose: () => void;
}

/** Says what will be written and where to, and writes it. */
export function WriteDialog({ of, stationID, view, draft, withOthers, onClose }: WriteDialogProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const text = usePeriodText();
  const [others, setOthers] = useState<ReadonlyMap<string, string>>(new Map());
  const writing = useWrite(of);
  const { plan } = draft;
  const isValid = planSchema.safeParse(plan).success;
  const send = () =>
    writing.mutate(
      { stationID, plan, others: [...others.keys()] },
      {
        onSuccess: ({ plants }) => {
          for (const { stationName, obstacle } of plants)
            if (obstacle !== null)
              showNotice({
                id: `work-mode-${stationName}`,
                text: t('work-modes.notWritten', { plant: stationName, why: t(`work-modes.obstacle.${obstacle}`) }),
                color: 'yellow',
              });
          draft.reset();
          onClose();
        },
      },
    );
  return (
    <Dialog
      title={t('work-modes.writeTitle')}
      opened
      onClose={onClose}
      wide={withOthers}
      footer={
        <>
          <Button onClick={onClose}>{t('blocks.cancel')}</Button>
          <Button look="filled" disabled={!isValid || writing.isPending} onClick={send}>
            {t('work-modes.write')}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        <p>
          {t('work-modes.writeTo', {
            count: view.devices.length,
            devices: view.devices.map(({ deviceSN }) => deviceSN).join(', '),
          })}
        </p>
        <dl className={styles.summary}>
          <dt>{t('work-modes.modeLabel')}</dt>
          <dd>{t(`work-modes.mode.${plan.mode}`)}</dd>
          <dt>{t('work-modes.minSoc')}</dt>
          <dd>{format.percent(plan.minSoc)}</dd>
        </dl>
        {plan.periods.length > 0 && (
          <ol className={styles.summaryList}>
            {[...plan.periods]
              .sort((one, other) => one.startMin - other.startMin)
              .map((period) => (
                <li key={`${period.startMin} ${period.days}`}>
                  <b>{text.times(period)}</b> {text.action(period.action)} {text.detail(period)}
                </li>
              ))}
          </ol>
        )}
        {plan.mode !== 'batterySupport' && plan.periods.length > 0 && (
          <p className={styles.note}>{t('work-modes.periodsIdle', { mode: t('work-modes.mode.batterySupport') })}</p>
        )}
        {view.devices.some(({ online }) => !online) && <p className={styles.differs}>{t('work-modes.waits')}</p>}
        {withOthers && <OtherPlants own={stationID} chosen={others} onChange={setOthers} />}
      </div>
    </Dialog>
  );
}

interface OtherPlantsProps {
  own: string;
  chosen: ReadonlyMap<string, string>;
  onChange: (chosen: ReadonlyMap<string, string>) => void;
}

function OtherPlants({ own, chosen, onChange }: OtherPlantsProps): ReactNode {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const content = useDeferredValue(search);
  const { data } = useQuery({
    ...read(list, { pageSize: 50, condition: { content } }),
    placeholderData: (before) => before,
  });
  const plants = (data?.plants ?? []).filter(({ stationID }) => stationID !== own);
  const shown = [
    ...[...chosen].map(([stationID, stationName]) => ({ stationID, stationName })),
    ...plants
      .filter(({ stationID }) => !chosen.has(stationID))
      .map(({ stationID, name }) => ({ stationID, stationName: name })),
  ];
  const toggle = (stationID: string, stationName: string) => {
    const next = new Map(chosen);
    if (!next.delete(stationID)) next.set(stationID, stationName);
    onChange(next);
  };
  return (
    <fieldset className={styles.others}>
      <legend>{t('work-modes.others', { count: chosen.size })}</legend>
      <input
        className={fields.input}
        type="search"
        aria-label={t('work-modes.findPlant')}
        placeholder={t('work-modes.findPlant')}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ul>
        {shown.map(({ stationID, stationName }) => (
          <li key={stationID}>
            <label>
              <input type="checkbox" checked={chosen.has(stationID)} onChange={() => toggle(stationID, stationName)} />
              {stationName}
            </label>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className={styles.note}>{t('work-modes.noOtherPlant')}</p>}
    </fieldset>
  );
}
