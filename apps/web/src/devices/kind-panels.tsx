import type { DeviceRow } from '@sonnenwarte/contract/devices/device';
import { surroundings } from '@sonnenwarte/contract/devices/devices';
import { areOnePlane, type StringRow, stringRows } from '@sonnenwarte/contract/devices/string-rows';
import { view } from '@sonnenwarte/contract/remote-settings/remote-settings';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../blocks/show/panel.tsx';
import { read } from '../client/queries.ts';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import { useGlobalState } from '../state/global-state.ts';
import styles from './kind-panels.module.css';
import { PointRows, ValueRow } from './point-rows.tsx';
import { usePointTexts } from './point-text.ts';
import {
  batteryEnergy,
  batteryHealth,
  cells,
  emsLimits,
  emsPowers,
  health,
  isInverterEnergy,
  meterEnergy,
} from './shown-points.ts';
import { balanceOf, phasesOf, type Told } from './told-values.ts';

const StringsTable = lazy(async () => ({ default: (await import('../strings/strings-table.tsx')).StringsTable }));
const AgingPanel = lazy(async () => ({ default: (await import('./aging-panel.tsx')).AgingPanel }));

const EmsOfPlant = lazy(async () => ({ default: (await import('../ems/ems-of-plant.tsx')).EmsOfPlant }));

const REFRESH_MS = 15_000;
const EMS_PORT = 'Setting/EmsPort';

interface KindProps {
  device: DeviceRow;
  told: Told;
  late: boolean;
  /** Of when its values are, in words; of now where nothing is said. */
  asOf: string | undefined;
  nowMs: number;
}

/** Beside the title of what is of a moment that is over. */
export function AsOf({ text }: { text: string | undefined }): ReactNode {
  return text === undefined ? null : <span className={styles.note}>{text}</span>;
}

/** What a kind of device is looked at for, before all else that it tells. */
export function KindPanels(props: KindProps): ReactNode {
  switch (props.device.kind) {
    case 'inverter':
      return <InverterPanels {...props} />;
    case 'battery':
      return <BatteryPanels {...props} />;
    case 'meter':
      return <MeterPanels {...props} />;
    case 'ems':
      return <EmsPanels {...props} />;
    default:
      return null;
  }
}

function InverterPanels({ device, told, late, asOf, nowMs }: KindProps): ReactNode {
  const { t } = useTranslation();
  const { data } = useQuery({
    ...read(surroundings, { deviceID: device.deviceID }),
    refetchInterval: REFRESH_MS,
  });
  const strings = stringRows(told.all, { isOnePlane: areOnePlane(data?.arrays ?? []) });
  const groups = groupsOf(strings, data?.arrays ?? [], {
    oriented: ({ azimuthDeg, inclinationDeg }) =>
      t('devices.strings.oriented', { azimuth: azimuthDeg, inclination: inclinationDeg }),
    tracker: (n) => t('devices.strings.tracker', { n }),
  });
  return (
    <>
      <div className={styles.beside}>
        {strings.length > 0 && (
          <Panel title={t('devices.strings.panel')} actions={<AsOf text={asOf} />}>
            <Suspense>
              <StringsTable rows={strings} late={late} groups={groups} sum={t('devices.phase.sum')} />
            </Suspense>
          </Panel>
        )}
        <PowerNow device={device} told={told} late={late} asOf={asOf} battery={data?.battery ?? null} />
      </div>
      <div className={styles.three}>
        <Phases told={told} area="AC" total={told.number('AC/ActivePower')} late={late} asOf={asOf} />
        <Points title={t('devices.panel.health')} names={health} {...{ device, told, late, asOf, nowMs }} />
        <Points
          title={t('devices.panel.energy')}
          names={told.all.flatMap(({ variable }) => (isInverterEnergy(variable) ? [variable] : []))}
          {...{ device, told, late, asOf, nowMs }}
        />
      </div>
    </>
  );
}

interface GroupTitles {
  readonly oriented: (array: { azimuthDeg: number; inclinationDeg: number }) => string;
  readonly tracker: (n: number) => string;
}

/** Strings of one orientation are neighbours. Where a plant has several, those of one tracker are known to be alike. */
function groupsOf(
  strings: readonly StringRow[],
  arrays: readonly { azimuthDeg: number; inclinationDeg: number }[],
  titles: GroupTitles,
): { title: string; rows: readonly StringRow[] }[] {
  const [only] = arrays;
  if (arrays.length === 1 && only) return [{ title: titles.oriented(only), rows: strings }];
  const trackers = [...new Set(strings.map(({ tracker }) => tracker))];
  if (trackers.length < 2 || trackers.includes(null) || strings.some(({ kind }) => kind === 'tracker')) return [];
  return trackers.map((tracker) => ({
    title: titles.tracker(tracker ?? 0),
    rows: strings.filter((row) => row.tracker === tracker),
  }));
}

interface PowerNowProps extends Omit<KindProps, 'nowMs'> {
  battery: {
    powerW: number | null;
    socPercent: number | null;
    batteryStatus: 'charging' | 'normal' | 'idle';
    updatedAtMs: number | null;
  } | null;
}

function PowerNow({ device, told, late, asOf, battery }: PowerNowProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  // Values of two moments do not add up.
  const apartMs = Math.abs((battery?.updatedAtMs ?? 0) - (told.of('AC/ActivePower')?.tsMs ?? 0));
  const beside = battery !== null && apartMs <= 2_000 * device.intervalS ? battery : null;
  const { pvW, batteryW, lossW, acW } = balanceOf(told, beside, device.hasBattery);
  const { unit, text } = format.column('power', [pvW, batteryW, lossW, acW]);
  const row = (tone: string, label: string, powerW: number | null) => (
    <div key={label}>
      <dt>
        <i className={styles.tone} style={{ background: `var(--${tone})` }} aria-hidden="true" />
        {label}
      </dt>
      <dd>
        {text(powerW)} <small>{unit}</small>
      </dd>
    </div>
  );
  const soc = beside?.socPercent === null || beside === null ? '' : `, SoC ${format.percent(beside.socPercent)}`;
  return (
    <Panel
      title={t(asOf === undefined ? 'devices.panel.powerNow' : 'devices.last.nowW')}
      actions={<AsOf text={asOf} />}
    >
      <dl className={styles.rows} data-late={late || undefined}>
        {row('pv', t('devices.power.pv'), pvW)}
        {device.hasBattery &&
          row(
            'battery',
            beside
              ? `${t('devices.power.battery')}: ${t(`devices.batteryStatus.${beside.batteryStatus}`)}${soc}`
              : t('devices.power.battery'),
            batteryW,
          )}
        {row('muted', t('devices.power.loss'), lossW)}
        {row('brand', t(acW !== null && acW < 0 ? 'devices.power.acIn' : 'devices.power.acOut'), acW)}
      </dl>
    </Panel>
  );
}

interface PhasesProps {
  told: Told;
  area: 'AC' | 'Meter';
  total: number | null;
  late: boolean;
  asOf: string | undefined;
}

function Phases({ told, area, total, late, asOf }: PhasesProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const phases = phasesOf(told, area);
  const { unit, text } = format.column('power', [total, ...phases.map(({ powerW }) => powerW)]);
  if (phases.length === 0) return null;
  const frequency = told.number(`${area}/Frequency`);
  const factor = told.number(`${area}/PowerFactor`);
  return (
    <Panel
      title={t('devices.panel.phases')}
      actions={
        <span className={styles.note}>
          {[
            asOf ?? '',
            factor === null ? '' : `cos φ ${format.number(factor, 2)}`,
            frequency === null ? '' : `${format.number(frequency, 2)} Hz`,
          ]
            .filter((each) => each !== '')
            .join(' · ')}
        </span>
      }
    >
      <table className={styles.phases} data-late={late || undefined}>
        <thead>
          <tr>
            <th scope="col">{t('devices.phase.title')}</th>
            <th scope="col">V</th>
            <th scope="col">A</th>
            <th scope="col">{unit}</th>
          </tr>
        </thead>
        <tbody>
          {phases.map(({ n, voltageV, currentA, powerW }) => (
            <tr key={n}>
              <th scope="row">L{n}</th>
              <td>{format.number(voltageV, 1)}</td>
              <td>{format.number(currentA, 1)}</td>
              <td>{text(powerW)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('devices.phase.sum')}</th>
            <td />
            <td />
            <td>{text(total)}</td>
          </tr>
        </tfoot>
      </table>
    </Panel>
  );
}

function Points({ title, names, ...rest }: KindProps & { title: string; names: readonly string[] }): ReactNode {
  const values = names.flatMap((name) => rest.told.of(name) ?? []);
  if (values.length === 0) return null;
  return (
    <Panel title={title} actions={<AsOf text={rest.asOf} />}>
      <PointRows
        values={values}
        late={rest.late}
        intervalS={rest.device.intervalS}
        nowMs={rest.nowMs}
        all={rest.told.all}
      />
    </Panel>
  );
}

function BatteryPanels({ device, told, late, asOf, nowMs }: KindProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const packs = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((n) => {
    const [voltageV, soc] = [told.number(`Bat/Pack${n}/Voltage`), told.number(`Bat/Pack${n}/Soc`)];
    return voltageV === null && soc === null ? [] : [{ n, voltageV, soc }];
  });
  const [most, least] = [told.number('Bat/CellVoltageMax'), told.number('Bat/CellVoltageMin')];
  return (
    <>
      <div className={styles.three}>
        <Panel title={t('devices.panel.battery')} actions={<AsOf text={asOf} />}>
          {packs.length > 0 && (
            <table className={styles.phases} data-late={late || undefined}>
              <thead>
                <tr>
                  <th scope="col">{t('devices.battery.pack')}</th>
                  <th scope="col">V</th>
                  <th scope="col">{`${t('flow.soc')} (%)`}</th>
                </tr>
              </thead>
              <tbody>
                {packs.map(({ n, voltageV, soc }) => (
                  <tr key={n}>
                    <th scope="row">{format.number(n)}</th>
                    <td>{format.number(voltageV, 1)}</td>
                    <td>{format.number(soc, 1)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <dl className={styles.rows} data-late={late || undefined}>
            <ValueRow
              label={t('devices.battery.spread')}
              value={most === null || least === null ? NOT_MEASURED : format.number(Math.round((most - least) * 1_000))}
              unit="mV"
            />
          </dl>
          <PointRows
            values={cells.flatMap((name) => told.of(name) ?? [])}
            late={late}
            intervalS={device.intervalS}
            nowMs={nowMs}
            all={told.all}
          />
        </Panel>
        <Points title={t('devices.panel.health')} names={batteryHealth} {...{ device, told, late, asOf, nowMs }} />
        <Points title={t('devices.panel.energy')} names={batteryEnergy} {...{ device, told, late, asOf, nowMs }} />
      </div>
      <Suspense>
        <AgingPanel deviceID={device.deviceID} />
      </Suspense>
    </>
  );
}

function MeterPanels({ device, told, late, asOf, nowMs }: KindProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const role = (['pv', 'load', 'generator'] as const).find((known) => known === device.role) ?? 'grid';
  const ratio = told.number('Meter/CtRatio');
  const phases = phasesOf(told, 'Meter').length;
  return (
    <div className={styles.three}>
      <Phases told={told} area="Meter" total={told.number('Meter/ActivePower')} late={late} asOf={asOf} />
      <Panel title={t('devices.panel.meter')}>
        <dl className={styles.rows}>
          <ValueRow label={t('devices.field.meterRole')} value={t(`devices.meterRole.${role}`)} />
          <ValueRow label={t('devices.field.phases')} value={phases === 0 ? NOT_MEASURED : format.number(phases)} />
          <ValueRow label={t('devices.field.ctRatio')} value={format.number(ratio)} />
        </dl>
      </Panel>
      <Points title={t('devices.panel.energy')} names={meterEnergy} {...{ device, told, late, asOf, nowMs }} />
    </div>
  );
}

/** What it holds first, then what it sees, whom it controls, and what it did and why. */
function EmsPanels({ device, told, late, asOf, nowMs }: KindProps): ReactNode {
  const { t } = useTranslation();
  const texts = usePointTexts();
  const mayRead = useGlobalState(({ menuCode }) => menuCode?.includes('remote-setting') ?? false);
  const { data } = useQuery({ ...read(view, { id: device.deviceID }, { quiet: true }), enabled: mayRead });
  const port = data?.settings.find(({ rule }) => rule.name === EMS_PORT)?.reported;
  return (
    <>
      <div className={styles.two}>
        <Panel title={t('ems.title')} actions={<AsOf text={asOf} />}>
          <PointRows
            values={emsLimits.flatMap((name) => told.of(name) ?? [])}
            late={late}
            intervalS={device.intervalS}
            nowMs={nowMs}
            all={told.all}
          />
          {typeof port === 'number' && (
            <dl className={styles.rows}>
              <ValueRow label={texts.label(EMS_PORT)} value={String(port)} />
            </dl>
          )}
        </Panel>
        <Points
          title={t(asOf === undefined ? 'devices.panel.powerNow' : 'devices.last.nowW')}
          names={emsPowers}
          {...{ device, told, late, asOf, nowMs }}
        />
      </div>
      {device.stationID !== null && (
        <Suspense>
          <EmsOfPlant stationID={device.stationID} />
        </Suspense>
      )}
    </>
  );
}
