import { devicesToPlot, MOST_CURVES } from '@sonnenwarte/contract/analysis/analysis';
import { variables } from '@sonnenwarte/contract/devices/devices';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import checkBox from '../blocks/form/check-box.module.css';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { RecordEntry } from '../blocks/widgets/record-entry.tsx';
import { read } from '../client/queries.ts';
import { usePointTexts } from '../devices/point-text.ts';
import { type CurveName, keyOf } from './address.ts';
import styles from './chooser.module.css';
import { MOST_LANES } from './lanes.ts';

/** Points that tell no curve. */
const notPlotted: readonly string[] = ['enum', 'bitfield', 'bool', 'text'];

interface ChooseCurvesProps {
  chosen: readonly (CurveName & { readonly unit: string })[];
  /** The device whose variables are shown first. */
  deviceID: string | undefined;
  /** Its plant's devices are offered before others. */
  stationID: string | undefined;
  onChange: (curves: readonly CurveName[]) => void;
  onClose: () => void;
}

/** Variables of one device after the other; what is ticked is plotted at once. */
export function ChooseCurves({ chosen, deviceID, stationID, onChange, onClose }: ChooseCurvesProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const [device, setDevice] = useState(deviceID ?? '');
  const [isSearching, setSearching] = useState(deviceID === undefined);
  return (
    <Dialog
      title={t('analysis.add')}
      opened
      shape="drawer"
      onClose={onClose}
      footer={
        <Button look="filled" wide onClick={onClose}>
          {t('analysis.done')}
        </Button>
      }
    >
      <div className={styles.chooser}>
        <OfPlant stationID={stationID} device={device} onChoose={setDevice} />
        {isSearching ? (
          <>
            <span id={`${id}-label`} className={styles.label}>
              {t('analysis.device')}
            </span>
            <RecordEntry
              id={id}
              labelledBy={`${id}-label`}
              source={{ endpoint: devicesToPlot, search: t('analysis.searchDevice'), none: t('analysis.noDevice') }}
              value={device}
              onChange={setDevice}
            />
          </>
        ) : (
          <Button onClick={() => setSearching(true)}>{t('analysis.withDevice')}</Button>
        )}
        {device !== '' && <Variables key={device} deviceID={device} chosen={chosen} onChange={onChange} />}
      </div>
    </Dialog>
  );
}

interface OfPlantProps {
  stationID: string | undefined;
  device: string;
  onChoose: (deviceID: string) => void;
}

/** The devices of the plant that is looked at, so that nobody has to type their numbers. */
function OfPlant({ stationID, device, onChoose }: OfPlantProps): ReactNode {
  const { t } = useTranslation();
  const { data } = useQuery({
    ...read(devicesToPlot, stationID === undefined ? {} : { stationID }),
    enabled: stationID !== undefined,
  });
  if (stationID === undefined || data === undefined || data.choices.length < 2) return null;
  return (
    <ul className={styles.ofPlant} aria-label={data.choices[0]?.plantName}>
      {data.choices.map(({ id, name, kind }) => (
        <li key={id}>
          <button type="button" aria-pressed={id === device} onClick={() => onChoose(id)}>
            {t(`sites.kind.${kind}`)} <small>{name}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}

interface VariablesProps {
  deviceID: string;
  chosen: ChooseCurvesProps['chosen'];
  onChange: ChooseCurvesProps['onChange'];
}

function Variables({ deviceID, chosen, onChange }: VariablesProps): ReactNode {
  const { t } = useTranslation();
  const texts = usePointTexts();
  const query = useQuery(read(variables, { deviceID }));
  const points = (query.data?.variables ?? [])
    .filter(({ unit }) => !notPlotted.includes(unit))
    .map((point) => ({ ...point, label: texts.label(point.variable) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, undefined, { numeric: true }));
  const units = new Set(chosen.map(({ unit }) => unit));
  const isFull = chosen.length >= MOST_CURVES;
  const problem = isFull
    ? t('analysis.mostCurves')
    : units.size >= MOST_LANES
      ? t('analysis.mostLanes', { units: [...units].join(', ') })
      : '';
  return (
    <>
      <ReadState query={query}>
        <Skeleton height="12rem" />
      </ReadState>
      {query.data && points.length === 0 && <EmptyState text={t('analysis.noVariables')} />}
      <p role="status" className={styles.problem}>
        {problem}
      </p>
      {points.length > 0 && (
        <fieldset className={styles.variables}>
          <legend>{t('analysis.variables')}</legend>
          {points.map(({ variable, unit, label }) => {
            const key = keyOf({ deviceID, variable });
            const checked = chosen.some((curve) => keyOf(curve) === key);
            const isOver = isFull || (units.size >= MOST_LANES && !units.has(unit));
            return (
              <label key={variable}>
                <input
                  type="checkbox"
                  className={checkBox.box}
                  checked={checked}
                  disabled={!checked && isOver}
                  onChange={() =>
                    onChange(
                      checked ? chosen.filter((curve) => keyOf(curve) !== key) : [...chosen, { deviceID, variable }],
                    )
                  }
                />
                <span>{label}</span>
                <small>{texts.value(0, unit).unit}</small>
              </label>
            );
          })}
        </fieldset>
      )}
    </>
  );
}
