import type { GroupRow } from '@sonnenwarte/contract/remote-settings/group-remote';
import {
  type Icon,
  IconAlertTriangle,
  IconCheck,
  IconClock,
  IconHourglass,
  IconMinus,
  IconPlugConnectedX,
  IconSend,
  IconX,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import styles from './group.module.css';
import { countsByPart, type GroupPart, partTones } from './group-counts.ts';

type Counts = GroupRow['counts'];

const signs: Readonly<Record<GroupPart, Icon>> = {
  confirmed: IconCheck,
  refused: IconX,
  differs: IconAlertTriangle,
  timedOut: IconClock,
  expired: IconClock,
  underWay: IconSend,
  away: IconPlugConnectedX,
  waiting: IconHourglass,
  cancelled: IconMinus,
};

/** How many devices are how far, as one bar. */
export function GroupBar({ counts }: { counts: Counts }): ReactNode {
  return (
    <div className={styles.bar} aria-hidden="true">
      {countsByPart(counts).map(({ part, count }) => (
        <i key={part} data-part={part} data-tone={partTones[part]} style={{ flexGrow: count }} />
      ))}
    </div>
  );
}

/** The same in the words of the rows. */
export function GroupLegend({ counts }: { counts: Counts }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <ul className={styles.legend}>
      {countsByPart(counts).map(({ part, count }) => {
        const Sign = signs[part];
        return (
          <li key={part} data-tone={partTones[part]}>
            <Sign size={16} aria-hidden="true" />
            <b>{format.number(count)}</b>{' '}
            {part === 'underWay' ? t('setting-screens.many.part.underWay') : t(`setting-screens.many.result.${part}`)}
          </li>
        );
      })}
    </ul>
  );
}
