import { list } from '@sonnenwarte/contract/sites/sites';
import { plan as planSchema } from '@sonnenwarte/contract/work-modes/plan';
import type { WorkMode, write } from '@sonnenwarte/contract/work-modes/work-modes';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import fields from '../blocks/form/fields.module.css';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import type { Permitted } from '../client/permit.ts';
import { read, useWrite } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { showNotice } from '../notices/notices.ts';
import { usePeriodText } from './period-text.ts';
import { usePlanValues } from './plan-values.ts';
import { changedValues, type PlanDraft, type PlanValue } from './use-plan-draft.ts';
import type { Span } from './what-if-panel.tsx';
import styles from './work-modes.module.css';
import { isLoss } from './worth-taking.ts';

interface WriteDialogProps {
  of: Permitted<typeof write>;
  stationID: string;
  view: WorkMode;
  draft: PlanDraft;
  /** What the plan would have saved against self-use alone; null: not known. */
  saved: string | null;
  currency: string;
  /** The days of which that is told. */
  span: Span;
  /** Other plants are chosen too. */
  withOthers: boolean;
  onClose: () => void;
}

/** Says what will be written and where to, and writes it. */
export function WriteDialog(props: WriteDialogProps): ReactNode {
  const { of, stationID, view, draft, saved, currency, span, withOthers, onClose } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const text = usePeriodText();
  const [others, setOthers] = useState<ReadonlyMap<string, string>>(new Map());
  const writing = useWrite(of);
  const { plan, told } = draft;
  const isValid = planSchema.safeParse(plan).success;
  const { labels, tell } = usePlanValues();
  const changed = changedValues(plan, told);
  const shown = [...new Set<PlanValue>(['mode', 'minSoc', ...changed])];
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
        <div className={styles.dialogFoot}>
          <Button onClick={onClose}>{t('blocks.cancel')}</Button>
          <Button look="filled" disabled={!isValid || writing.isPending} onClick={send}>
            {t('work-modes.write')}
          </Button>
        </div>
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
          {shown.map((name) => (
            <Fragment key={name}>
              <dt>{labels[name]}</dt>
              <dd>
                {tell[name](plan)}
                {changed.includes(name) && <small>{t('work-modes.formerly', { value: tell[name](told) })}</small>}
              </dd>
            </Fragment>
          ))}
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
        {saved !== null && isLoss(saved) && (
          <p className={styles.loss}>
            <IconAlertTriangle size={20} aria-hidden="true" />
            {t(span === 'month' ? 'work-modes.lossOfMonth' : 'work-modes.lossOfYesterday', {
              money: format.money(saved.slice(1), currency),
            })}
          </p>
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
