import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { GroupRow } from '@sonnenwarte/contract/remote-settings/group-remote';
import type { SettingRule } from '@sonnenwarte/contract/remote-settings/setting';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import checkStyles from '../blocks/form/check-box.module.css';
import { showEdges } from '../blocks/list/edge-shadow.ts';
import { Badge } from '../blocks/show/badge.tsx';
import { Button } from '../blocks/show/button.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { localZone } from '../format/local-zone.ts';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import { failureWords } from './failure-words.ts';
import { partTones } from './group-counts.ts';
import { isFailed, type ResultDevice, resultTones } from './group-results.ts';
import styles from './group-table.module.css';
import { bareColumns } from './table-rows.ts';
import { useSettingTexts } from './use-setting-text.ts';
import { ValueText } from './value-text.tsx';

interface ResultTableProps {
  devices: readonly ResultDevice[];
  group: GroupRow;
  chosen: ReadonlySet<string>;
  mayChoose: boolean;
  onChoose: (chosen: ReadonlySet<string>) => void;
  actions: ReactNode;
}

const SHOWN = 50;

/** How each device stands. Those that failed can be chosen, to be written again. */
export function ResultTable({ devices, group, chosen, mayChoose, onChoose, actions }: ResultTableProps): ReactNode {
  const { t } = useTranslation();
  const [most, setMost] = useState(SHOWN);
  const texts = useResultTexts(group);
  const failed = devices.filter(isFailed).map(({ deviceID }) => deviceID);
  const taken = failed.filter((id) => chosen.has(id));
  return (
    <section className={styles.table} aria-label={t('setting-screens.many.step.result')}>
      <div className={styles.selection} data-idle={taken.length === 0 || undefined}>
        {mayChoose && (
          <label className={styles.box}>
            <input
              type="checkbox"
              className={checkStyles.box}
              checked={taken.length === failed.length}
              ref={(box) => {
                if (box) box.indeterminate = taken.length > 0 && taken.length < failed.length;
              }}
              onChange={() => onChoose(new Set(taken.length < failed.length ? failed : []))}
            />
            <strong>{t('setting-screens.many.selected', { count: taken.length })}</strong>
          </label>
        )}
        <span className={styles.selectionActions}>{actions}</span>
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
              {mayChoose && (
                <th scope="col">
                  <span className="visually-hidden">{t('setting-screens.many.take')}</span>
                </th>
              )}
              <th scope="col">{t('setting-screens.many.device')}</th>
              <th scope="col">{t('setting-screens.many.plant')}</th>
              <th scope="col">{t('setting-screens.many.before')}</th>
              <th scope="col">{t('setting-screens.many.wanted')}</th>
              <th scope="col">{t('setting-screens.state')}</th>
              <th scope="col">{t('setting-screens.many.why')}</th>
              <th scope="col" data-end>
                {t('setting-screens.many.duration')}
              </th>
            </tr>
          </thead>
          <tbody>
            {devices.slice(0, most).map((device) => (
              <tr key={device.deviceID} data-chosen={(isFailed(device) && chosen.has(device.deviceID)) || undefined}>
                {mayChoose && (
                  <td>
                    {isFailed(device) && (
                      <label className={styles.box}>
                        <span className="visually-hidden">
                          {t('setting-screens.many.takeDevice', { sn: device.deviceSN })}
                        </span>
                        <input
                          type="checkbox"
                          className={checkStyles.box}
                          checked={chosen.has(device.deviceID)}
                          onChange={(event) => {
                            const next = new Set(chosen);
                            if (event.currentTarget.checked) next.add(device.deviceID);
                            else next.delete(device.deviceID);
                            onChoose(next);
                          }}
                        />
                      </label>
                    )}
                  </td>
                )}
                <th scope="row">
                  <ScreenLink to="remote-setting" query={{ id: device.deviceID }}>
                    {device.deviceSN}
                  </ScreenLink>{' '}
                  <small>{device.model}</small>
                </th>
                <td>{device.stationName}</td>
                <td>
                  <Values device={device} of="from" texts={texts} />
                </td>
                <td>
                  <Values device={device} of="to" texts={texts} />
                </td>
                <td>
                  <Badge tone={isAway(device) ? partTones.away : resultTones[device.state]}>
                    {texts.state(device)}
                  </Badge>
                </td>
                <td className={styles.why}>{texts.why(device)}</td>
                <td data-end>{texts.duration(device)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {devices.length > most && (
        <Button small look="plain" onClick={() => setMost(most + 4 * SHOWN)}>
          {t('setting-screens.many.more', { count: devices.length - most })}
        </Button>
      )}
    </section>
  );
}

interface ValuesProps {
  device: ResultDevice;
  of: 'from' | 'to';
  texts: ResultTexts;
}

/** What a device had or gets, each setting by its name where there are several. */
function Values({ device: { values }, of, texts }: ValuesProps): ReactNode {
  return values.map((each, at) => (
    <Fragment key={each.name}>
      {at > 0 && ' · '}
      {values.length > 1 && `${texts.label(each)} `}
      <ValueText rule={texts.rule(each)} value={each[of]} against={each[of === 'from' ? 'to' : 'from']} />
    </Fragment>
  ));
}

type ResultValue = ResultDevice['values'][number];

interface ResultTexts {
  label: (value: ResultValue) => string;
  rule: (value: ResultValue) => SettingRule;
  state: (device: ResultDevice) => string;
  why: (device: ResultDevice) => string;
  duration: (device: ResultDevice) => string;
  /** The columns of the file. */
  head: string[];
  cells: (device: ResultDevice) => string[];
}

/** What a device had and gets, how it stands and why, in words. */
export function useResultTexts({ values }: GroupRow): ResultTexts {
  const { t } = useTranslation();
  const format = useFormat();
  const texts = useSettingTexts();
  const ruleOf = new Map(values.map(({ rule }) => [rule.name, rule]));
  const rule = ({ name, unit, labelKey, to }: ResultValue): SettingRule =>
    ruleOf.get(name) ?? bareRule(name, unit, labelKey, to);
  const all = (device: ResultDevice, which: 'from' | 'to') =>
    device.values
      .map(
        (value) => (device.values.length > 1 ? `${texts.label(value)} ` : '') + texts.value(rule(value), value[which]),
      )
      .join(' · ');
  const why = (device: ResultDevice): string => {
    if (device.state === 'confirmed') return t('setting-screens.many.readBackAs', { value: all(device, 'to') });
    if (device.state === 'waiting') return t('setting-screens.many.inTheRow');
    if (device.state === 'queued') {
      return device.awaitedUntilMs === null
        ? t('setting-screens.next.queued')
        : t('setting-screens.many.awaited', { time: format.time(device.awaitedUntilMs, localZone()) });
    }
    if (device.state === 'sent' || device.state === 'acknowledged') return t(`setting-screens.next.${device.state}`);
    return failureWords(t, device, Object.fromEntries(device.values.map((each) => [each.name, texts.label(each)])));
  };
  const duration = ({ startedMs, doneMs }: ResultDevice): string =>
    startedMs === null || doneMs === null
      ? NOT_MEASURED
      : t('setting-screens.many.secondsValue', { value: format.number((doneMs - startedMs) / 1_000, 1) });
  const state = (device: ResultDevice): string => t(`setting-screens.many.result.${stateWord(device)}`);
  return {
    label: texts.label,
    rule,
    state,
    why,
    duration,
    head: [
      t('setting-screens.many.device'),
      t('setting-screens.many.plant'),
      t('setting-screens.many.before'),
      t('setting-screens.many.wanted'),
      t('setting-screens.state'),
      t('setting-screens.many.why'),
      t('setting-screens.many.duration'),
    ],
    cells: (device) => [
      device.deviceSN,
      device.stationName,
      all(device, 'from'),
      all(device, 'to'),
      state(device),
      why(device),
      duration(device),
    ],
  };
}

const isAway = ({ awaitedUntilMs }: ResultDevice): boolean => awaitedUntilMs !== null;
const stateWord = (device: ResultDevice): ResultDevice['state'] | 'away' => (isAway(device) ? 'away' : device.state);

/** What is known of a setting of which only the unit was told. */
const bareRule = (name: string, unit: string, labelKey: string, value: SettingValue | null): SettingRule => ({
  name,
  unit,
  labelKey,
  group: 'report',
  form: typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'switch' : 'text',
  low: null,
  high: null,
  step: null,
  decimals: typeof value === 'number' && !Number.isInteger(value) ? 2 : 0,
  default: null,
  options: [],
  columns: bareColumns(name, value),
  mostRows: 0,
  meaningKey: '',
  riskKey: null,
  isDangerous: false,
});
