import { IconCalendar } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { DateInput, DateSegment } from 'react-aria-components/DateField';
import { Dialog } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { useTranslation } from 'react-i18next';
import styles from './widgets.module.css';

/** Parts of a day or time, in the order of the language, each typed by itself. */
export const Segments = ({
  slot,
  className = styles.segments,
}: {
  slot?: 'start' | 'end';
  className?: string | undefined;
}) => (
  <DateInput {...(slot && { slot })} className={className ?? ''}>
    {(segment) => <DateSegment segment={segment} className={styles.segment ?? ''} />}
  </DateInput>
);

export function CalendarButton() {
  const { t } = useTranslation();
  return (
    <Button aria-label={t('blocks.openCalendar')} className={styles.inside ?? ''}>
      <IconCalendar size={18} aria-hidden="true" />
    </Button>
  );
}

/** What opens below the box; `container` is where the top layer has it. */
export const CalendarPopover = ({
  container,
  children,
}: {
  container: HTMLElement | undefined;
  children: ReactNode;
}) => (
  <Popover
    placement="bottom start"
    {...(container && { UNSTABLE_portalContainer: container })}
    className={styles.popover ?? ''}
  >
    <Dialog className={styles.calendar ?? ''}>{children}</Dialog>
  </Popover>
);
