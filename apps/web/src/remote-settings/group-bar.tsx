import type { GroupRow } from '@sonnenwarte/contract/remote-settings/group-remote';
import { IconCheck, IconHourglass, IconMinus, IconSend, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import styles from './group.module.css';

type Counts = GroupRow['counts'];

const parts = [
  { name: 'confirmed', Sign: IconCheck },
  { name: 'failed', Sign: IconX },
  { name: 'underWay', Sign: IconSend },
  { name: 'waiting', Sign: IconHourglass },
  { name: 'cancelled', Sign: IconMinus },
] as const;

/** How many devices are how far, as one bar. */
export function GroupBar({ counts }: { counts: Counts }): ReactNode {
  return (
    <div className={styles.bar} aria-hidden="true">
      {parts.map(
        ({ name }) => counts[name] > 0 && <i key={name} data-part={name} style={{ flexGrow: counts[name] }} />,
      )}
    </div>
  );
}

/** The same in words. */
export function GroupLegend({ counts }: { counts: Counts }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <ul className={styles.legend}>
      {parts.map(
        ({ name, Sign }) =>
          counts[name] > 0 && (
            <li key={name} data-part={name}>
              <Sign size={16} aria-hidden="true" />
              <b>{format.number(counts[name])}</b> {t(`setting-screens.many.part.${name}`)}
            </li>
          ),
      )}
    </ul>
  );
}
