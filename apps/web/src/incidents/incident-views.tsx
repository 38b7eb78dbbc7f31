import type { IncidentSummary } from '@sonnenwarte/contract/incidents/incident-summary';
import { alarmLevels, type IncidentView, incidentViews, type list } from '@sonnenwarte/contract/incidents/incidents';
import { LEVEL } from '@sonnenwarte/contract/levels';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Select } from '../blocks/form/select.tsx';
import type { FilteredList } from '../blocks/list/use-list.ts';
import { Button } from '../blocks/show/button.tsx';
import { useAlarmText } from '../format/alarm-text.ts';
import { useFormat } from '../format/use-format.ts';
import { useGlobalState } from '../state/global-state.ts';
import styles from './incidents.module.css';

type Filtered = FilteredList<typeof list>;
type Condition = Filtered['value']['condition'];
type Change = Parameters<Filtered['set']>[0];

const withCondition = (condition: Partial<Condition>): Change => ({ condition }) as Change;

/** The part of the list that its address names; without any it is what is open. */
export const viewOf = ({ value }: Filtered): IncidentView => value.condition.view ?? 'open';

/** Nothing is assigned to who owns plants or reads devices. */
const assignedNothing: readonly number[] = [LEVEL.endUser, LEVEL.integrator];

interface ViewsProps {
  list: Filtered;
  summary: IncidentSummary | undefined;
}

/** The parts of the list, with how many there are in each. */
export function IncidentViews({ list: incidents, summary }: ViewsProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const access = useGlobalState((state) => state.access);
  const counts: Readonly<Partial<Record<IncidentView, number>>> = summary?.counts ?? {};
  const offered = incidentViews.filter((view) => view !== 'mine' || !assignedNothing.includes(access));
  return (
    <div className={styles.views}>
      <Segmented
        label={t('incidents.view.label')}
        value={viewOf(incidents)}
        options={offered.map((value) => {
          // What is over is told of a day, and listed whole.
          const count = value === 'mended' ? undefined : counts[value];
          return {
            value,
            label: t(`incidents.view.${value}`),
            ...(count !== undefined && { count: format.number(count) }),
          };
        })}
        onChange={(view) => incidents.set(withCondition({ ...incidents.value.condition, view }))}
      />
    </div>
  );
}

/** One level, or all; those that an address names together stay together. */
export function LevelFilter({ list: incidents }: { list: Filtered }): ReactNode {
  const { t } = useTranslation();
  const { locale } = useFormat();
  const { levels = [], ...others } = incidents.value.condition;
  const label = (level: (typeof alarmLevels)[number]): string => t(`incidents.level.${level}`);
  const several = levels.length > 1 ? levels.toSorted().join() : undefined;
  return (
    <Select
      className={styles.level}
      label={t('incidents.field.level')}
      value={levels.length === 0 ? '' : (several ?? String(levels[0]))}
      options={[
        { value: '', label: t('common.all') },
        ...alarmLevels.map((level) => ({ value: String(level), label: label(level) })),
        ...(several === undefined
          ? []
          : [{ value: several, label: new Intl.ListFormat(locale).format(levels.toSorted().map(label)) }]),
      ]}
      onChange={(chosen) => {
        const next = alarmLevels.filter((level) => chosen.split(',').includes(String(level)));
        incidents.set(withCondition({ ...others, ...(next.length > 0 && { levels: next }) }));
      }}
    />
  );
}

/** What else an address narrows the list to, each with the way to take it back. */
export function NarrowedTo({ list: incidents, plantName }: { list: Filtered; plantName: string }): ReactNode {
  const { t } = useTranslation();
  const alarmText = useAlarmText();
  const { condition } = incidents.value;
  const words = {
    stationID: plantName === '' ? t('incidents.only.plant') : t('incidents.only.plantNamed', { name: plantName }),
    deviceID: t('incidents.only.device'),
    code: t('incidents.only.code', { name: alarmText(condition.code ?? 0).name }),
    causeID: t('incidents.only.explained'),
  } as const;
  const named = (['stationID', 'deviceID', 'code', 'causeID'] as const).filter((key) => condition[key] !== undefined);
  if (named.length === 0) return null;
  return (
    <p className={styles.narrowed}>
      {named.map((key) => (
        <span key={key}>
          {words[key]}
          <Button
            small
            look="plain"
            onClick={() => {
              const { [key]: _, ...others } = condition;
              incidents.set(withCondition(others));
            }}
          >
            {t('incidents.only.all')}
          </Button>
        </span>
      ))}
    </p>
  );
}
