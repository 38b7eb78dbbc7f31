import type { PreviewRow } from '@sonnenwarte/contract/remote-settings/group-remote';
import type { SettingRule } from '@sonnenwarte/contract/remote-settings/setting';
import { type Icon, IconArrowRight, IconBan, IconEqual, IconHourglass, IconPencil } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import checkStyles from '../blocks/form/check-box.module.css';
import { Segmented } from '../blocks/form/segmented.tsx';
import { showEdges } from '../blocks/list/edge-shadow.ts';
import { Button } from '../blocks/show/button.tsx';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './group-table.module.css';
import { type Fate, fateOf, fates } from './preview-fate.ts';
import { useSettingTexts } from './use-setting-text.ts';
import { ValueText } from './value-text.tsx';

interface PreviewTableProps {
  rows: readonly PreviewRow[];
  rules: ReadonlyMap<string, SettingRule>;
  without: readonly string[];
  onWithout: (without: readonly string[]) => void;
}

const SHOWN = 50;
const icons: Readonly<Record<Fate, Icon>> = {
  written: IconPencil,
  waits: IconHourglass,
  same: IconEqual,
  impossible: IconBan,
};

/** Each device with what it has now, what it would get, what will happen and what that costs a day. */
export function PreviewTable({ rows, rules, without, onWithout }: PreviewTableProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const [fate, setFate] = useState<Fate | 'all'>('all');
  const [search, setSearch] = useState('');
  const [most, setMost] = useState(SHOWN);
  const counts = Map.groupBy(rows, (row) => fateOf(row).fate);
  const wanted = search.trim().toLowerCase();
  const shown = rows.filter(
    (row) =>
      (fate === 'all' || fateOf(row).fate === fate) &&
      (wanted === '' || `${row.deviceSN} ${row.stationName}`.toLowerCase().includes(wanted)),
  );
  const option = (value: Fate | 'all', count: number) => ({
    value,
    label: value === 'all' ? t('common.all') : t(`setting-screens.fate.${value}`),
    count: format.number(count),
  });
  const energy = format.column(
    'energy',
    rows.map(({ costWhPerDay }) => costWhPerDay),
  );
  return (
    <section className={styles.table} aria-label={t('setting-screens.many.step.preview')}>
      <div className={styles.tableTools}>
        <Segmented
          label={t('setting-screens.many.what')}
          value={fate}
          options={[
            option('all', rows.length),
            ...fates.flatMap((each) => {
              const count = counts.get(each)?.length ?? 0;
              return count === 0 ? [] : [option(each, count)];
            }),
          ]}
          onChange={setFate}
        />
        <input
          type="search"
          className={styles.search}
          placeholder={t('setting-screens.many.search')}
          aria-label={t('setting-screens.many.search')}
          value={search}
          maxLength={64}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      <section
        ref={showEdges}
        className={styles.scroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={t('setting-screens.many.step.devices')}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">{t('setting-screens.many.take')}</span>
              </th>
              <th scope="col">{t('setting-screens.many.device')}</th>
              <th scope="col">{t('setting-screens.many.plant')}</th>
              <th scope="col">{t('setting-screens.many.change')}</th>
              <th scope="col">{t('setting-screens.many.what')}</th>
              <th scope="col" data-end>
                {t('setting-screens.cost.aDay')} <small>{energy.unit}</small>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, most).map((row) => (
              <PreviewLine
                key={row.deviceID}
                row={row}
                rules={rules}
                isTaken={!without.includes(row.deviceID)}
                cost={row.costWhPerDay === null ? NOT_MEASURED : energy.text(-row.costWhPerDay)}
                onTake={(taken) =>
                  onWithout(taken ? without.filter((id) => id !== row.deviceID) : [...without, row.deviceID])
                }
              />
            ))}
          </tbody>
        </table>
      </section>
      {shown.length === 0 && <p className={styles.empty}>{t('setting-screens.many.noneFound')}</p>}
      {shown.length > most && (
        <Button small look="plain" onClick={() => setMost(most + 4 * SHOWN)}>
          {t('setting-screens.many.more', { count: shown.length - most })}
        </Button>
      )}
    </section>
  );
}

interface PreviewLineProps {
  row: PreviewRow;
  rules: ReadonlyMap<string, SettingRule>;
  isTaken: boolean;
  cost: string;
  onTake: (taken: boolean) => void;
}

function PreviewLine({ row, rules, isTaken, cost, onTake }: PreviewLineProps): ReactNode {
  const { t } = useTranslation();
  const { fate, isWritten } = fateOf(row);
  const Sign = icons[fate];
  const { deviceSN, model, stationName, values, obstacle } = row;
  return (
    <tr data-fate={fate}>
      <td>
        {isWritten && (
          <label className={styles.box}>
            <span className="visually-hidden">{t('setting-screens.many.takeDevice', { sn: deviceSN })}</span>
            <input
              type="checkbox"
              className={checkStyles.box}
              checked={isTaken}
              onChange={(event) => onTake(event.currentTarget.checked)}
            />
          </label>
        )}
      </td>
      <th scope="row">
        {deviceSN} <small>{model}</small>
      </th>
      <td>{stationName}</td>
      <td>
        <ul>
          {values.map((value) => (
            <ValueChange key={value.name} value={value} rule={rules.get(value.name)} alone={values.length === 1} />
          ))}
        </ul>
      </td>
      <td>
        <span className={styles.fate}>
          <Sign size={15} aria-hidden="true" />
          {obstacle === null || fate === 'same' ? (
            t(`setting-screens.fate.${fate}`)
          ) : (
            <Obstacle obstacle={obstacle} rules={rules} />
          )}
        </span>
      </td>
      <td data-end>{cost}</td>
    </tr>
  );
}

interface ValueChangeProps {
  value: PreviewRow['values'][number];
  rule: SettingRule | undefined;
  alone: boolean;
}

function ValueChange({ value: { name, from, to }, rule, alone }: ValueChangeProps): ReactNode {
  const texts = useSettingTexts();
  return (
    <li>
      {!alone && <small>{rule ? texts.label(rule) : name} </small>}
      {rule ? <ValueText rule={rule} value={from} against={to} /> : String(from ?? NOT_MEASURED)}
      <IconArrowRight size={14} aria-label="→" />
      <b>{rule ? <ValueText rule={rule} value={to} against={from} /> : String(to)}</b>
    </li>
  );
}

interface ObstacleProps {
  obstacle: NonNullable<PreviewRow['obstacle']>;
  rules: ReadonlyMap<string, SettingRule>;
}

function Obstacle({ obstacle: { why, name, detail }, rules }: ObstacleProps): ReactNode {
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const rule = name === null ? undefined : rules.get(name);
  const setting = rule ? texts.label(rule) : (name ?? '');
  const bound = Number(detail);
  if (why === 'outOfRange' && rule && detail !== '' && Number.isFinite(bound)) {
    return t('setting-screens.obstacle.bound', { name: setting, bound: texts.value(rule, bound) });
  }
  const blocker = why === 'blocked' ? rules.get(detail) : undefined;
  if (blocker) return t('setting-screens.obstacle.blockedBy', { name: setting, blocker: texts.label(blocker) });
  return t(`setting-screens.obstacle.${why}`, { name: setting });
}
