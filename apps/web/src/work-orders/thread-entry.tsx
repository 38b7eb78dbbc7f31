import type { OrderEntry } from '@sonnenwarte/contract/work-orders/work-order';
import {
  IconArrowDown,
  IconArrowUp,
  IconCamera,
  IconCheck,
  IconCircleCheck,
  IconClockPause,
  IconClockPlay,
  IconEyeOff,
  IconHandGrab,
  IconRotate,
  IconStar,
  IconTransfer,
  IconUser,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { initialsOf } from '../format/initials.ts';
import { useMoments } from '../format/moments.ts';
import { useFormat } from '../format/use-format.ts';
import { HeldValues } from './held-values.tsx';
import { Pictures } from './pictures.tsx';
import styles from './thread.module.css';

const icons: Readonly<Partial<Record<OrderEntry['kind'], TablerIcon>>> = {
  snapshot: IconCamera,
  begun: IconHandGrab,
  assigned: IconUser,
  unassigned: IconUser,
  handedUp: IconArrowUp,
  handedDown: IconArrowDown,
  movedWithPlant: IconTransfer,
  waiting: IconClockPause,
  resumed: IconClockPlay,
  solved: IconCheck,
  closed: IconCircleCheck,
  closedByItself: IconCircleCheck,
  reopened: IconRotate,
  rated: IconStar,
};

/** What somebody said; all else is a thin line. */
const said: readonly OrderEntry['kind'][] = ['opened', 'message', 'note'];

interface EntryProps {
  entry: OrderEntry;
  timeZone: string;
}

/** An entry of the thread. */
export function ThreadEntry(props: EntryProps): ReactNode {
  return said.includes(props.entry.kind) ? <Said {...props} /> : <Event {...props} />;
}

function Said({ entry, timeZone }: EntryProps): ReactNode {
  const { t } = useTranslation();
  const { moment } = useMoments();
  const { by, byOrganisation, side, isInternal, atMs, text, pictures } = entry;
  return (
    <li className={styles.said} data-internal={isInternal || undefined}>
      <span className={styles.initials} aria-hidden="true" translate="no">
        {initialsOf(by)}
      </span>
      <div className={styles.words}>
        <p className={styles.who}>
          <strong>{by}</strong>
          <span>{side === 'asker' ? t('work-orders.thread.asker') : byOrganisation}</span>
          {isInternal && (
            <span className={styles.mark}>
              <IconEyeOff size={14} aria-hidden="true" />
              {t('work-orders.thread.internalMark')}
            </span>
          )}
          <time dateTime={new Date(atMs).toISOString()}>{moment(atMs, timeZone)}</time>
        </p>
        {text !== '' && <p className={styles.text}>{text}</p>}
        <Pictures pictures={pictures} />
      </div>
    </li>
  );
}

function Event({ entry, timeZone }: EntryProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { moment } = useMoments();
  const { kind, by, to, stars, atMs, text, values } = entry;
  const Icon = icons[kind] ?? IconCheck;
  return (
    <li className={styles.event}>
      <Icon size={16} aria-hidden="true" />
      <div className={styles.words}>
        <p>
          {kind === 'snapshot'
            ? t('work-orders.values.held')
            : t(`work-orders.entry.${kind}`, { name: by, to, stars: format.number(stars) })}
          {' · '}
          <time dateTime={new Date(atMs).toISOString()}>{moment(atMs, timeZone)}</time>
        </p>
        {text !== '' && <p className={styles.text}>{text}</p>}
        {values.length > 0 && <HeldValues values={values} timeZone={timeZone} />}
      </div>
    </li>
  );
}
