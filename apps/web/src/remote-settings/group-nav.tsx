import type { SettingGroup } from '@sonnenwarte/contract/remote-settings/setting';
import {
  type Icon,
  IconAdjustmentsHorizontal,
  IconAntennaBars5,
  IconBattery3,
  IconBatteryCharging,
  IconBolt,
  IconChevronDown,
  IconClock,
  IconFlame,
  IconGauge,
  IconHomeBolt,
  IconKeyboard,
  IconLink,
  IconPlug,
  IconShieldCheck,
  IconTransferOut,
  IconWaveSine,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Sheet } from '../blocks/overlay/sheet.tsx';
import { Button } from '../blocks/show/button.tsx';
import type { GroupSummary } from './setting-groups.ts';
import styles from './settings.module.css';

const icons: Readonly<Record<SettingGroup, Icon>> = {
  workMode: IconAdjustmentsHorizontal,
  soc: IconBattery3,
  charge: IconBatteryCharging,
  exportLimit: IconTransferOut,
  powerLimit: IconBolt,
  reactive: IconWaveSine,
  gridCode: IconPlug,
  protection: IconShieldCheck,
  afci: IconFlame,
  eps: IconHomeBolt,
  parallel: IconLink,
  meter: IconGauge,
  time: IconClock,
  report: IconAntennaBars5,
};

interface GroupNavProps {
  groups: readonly GroupSummary[];
  chosen: SettingGroup | undefined;
  onChoose: (group: SettingGroup) => void;
}

/** The groups of a device's settings, each with what is open in it. */
export function GroupNav({ groups, chosen, onChoose }: GroupNavProps): ReactNode {
  const { t } = useTranslation();
  return (
    <nav className={styles.groups} aria-label={t('setting-screens.groups')}>
      {groups.map((summary) => {
        const Sign = icons[summary.group];
        return (
          <button
            key={summary.group}
            type="button"
            aria-current={summary.group === chosen || undefined}
            onClick={() => onChoose(summary.group)}
          >
            <Sign size={18} aria-hidden="true" />
            <span>{t(`setting-screens.group.${summary.group}`)}</span>
            <OpenIn summary={summary} />
          </button>
        );
      })}
    </nav>
  );
}

function OpenIn({ summary: { drifted, edited, isGuarded } }: { summary: GroupSummary }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      {drifted > 0 && (
        <em data-tone="warn" title={t('setting-screens.drifted', { count: drifted })}>
          {drifted}
          <span className="visually-hidden"> {t('setting-screens.drifted', { count: drifted })}</span>
        </em>
      )}
      {edited > 0 && (
        <em data-tone="brand" title={t('setting-screens.edited', { count: edited })}>
          {edited}
          <span className="visually-hidden"> {t('setting-screens.edited', { count: edited })}</span>
        </em>
      )}
      {isGuarded && drifted + edited === 0 && (
        <IconKeyboard size={14} role="img" aria-label={t('setting-screens.status.typing')} />
      )}
    </>
  );
}

/** The same on a phone: one button with the group that is shown, and a sheet with all. */
export function GroupSheet(props: GroupNavProps): ReactNode {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const shown = props.groups.find(({ group }) => group === props.chosen);
  return (
    <div className={styles.groupSheet}>
      <Button wide aria-haspopup="dialog" onClick={() => setOpened(true)}>
        {shown ? t(`setting-screens.group.${shown.group}`) : t('setting-screens.groups')}
        <IconChevronDown size={16} aria-hidden="true" />
      </Button>
      <Sheet title={t('setting-screens.groups')} opened={opened} onClose={() => setOpened(false)}>
        <GroupNav
          {...props}
          onChoose={(group) => {
            setOpened(false);
            props.onChoose(group);
          }}
        />
      </Sheet>
    </div>
  );
}
