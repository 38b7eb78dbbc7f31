import type { OrderEntry } from '@sonnenwarte/contract/work-orders/work-order';
import { message, thread, type WorkOrderDetail } from '@sonnenwarte/contract/work-orders/work-orders';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Can } from '../blocks/actions/can.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { read } from '../client/queries.ts';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';
import { Composer } from './composer.tsx';
import styles from './order.module.css';
import threadStyles from './thread.module.css';
import { ThreadEntry } from './thread-entry.tsx';

type Part = 'all' | 'openToAll' | 'internal';

const isIn = (part: Part, { isInternal }: OrderEntry): boolean =>
  part === 'all' || (part === 'internal') === isInternal;

/** All that was said and done, oldest first, and where one writes on. */
export function ThreadPanel({ data }: { data: WorkOrderDetail }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const [part, setPart] = useState<Part>('all');
  const { before, earlier, error, isReading, readMore } = useEarlier(data);
  const { order, internal } = data;
  const entries = [...before, ...data.entries];
  const total = earlier + entries.length;
  const timeZone = order.ianaTimezone || localZone();
  const shown = entries.filter((entry) => isIn(part, entry));
  return (
    <section className={threadStyles.thread} aria-label={t('work-orders.thread.title')}>
      {internal !== null && (
        <header className={threadStyles.threadHead}>
          <Segmented
            label={t('work-orders.thread.filter')}
            value={part}
            options={[
              { value: 'all', label: t('work-orders.thread.all'), count: format.number(total) },
              {
                value: 'openToAll',
                label: t('work-orders.thread.openToAll'),
                count: format.number(total - internal),
              },
              { value: 'internal', label: t('work-orders.thread.internal'), count: format.number(internal) },
            ]}
            onChange={setPart}
          />
          {order.can.note && (
            <p className={threadStyles.keys} aria-hidden="true">
              <kbd>R</kbd> {t('work-orders.composer.keyAnswer')} <kbd>N</kbd> {t('work-orders.composer.keyNote')}
            </p>
          )}
        </header>
      )}
      {earlier > 0 && (
        <p className={threadStyles.earlier}>
          <Button small aria-disabled={isReading} onClick={readMore}>
            {t('work-orders.thread.earlier', { count: earlier })}
          </Button>
        </p>
      )}
      {error !== undefined && <ErrorNotice error={error} retry={readMore} />}
      <ol className={threadStyles.entries}>
        {shown.map((entry) => (
          <ThreadEntry key={entry.entryID} entry={entry} timeZone={timeZone} />
        ))}
      </ol>
      {shown.length === 0 && <p className={styles.quiet}>{t('work-orders.thread.noneInternal')}</p>}
      {order.can.answer ? (
        <Can of={message}>{(of) => <Composer of={of} order={order} />}</Can>
      ) : (
        <p className={styles.quiet}>{t('work-orders.composer.closed')}</p>
      )}
    </section>
  );
}

/** What comes before the newest entries, read a part at a time. */
function useEarlier({ order, entries, earlier }: WorkOrderDetail) {
  const cache = useQueryClient();
  const [before, setBefore] = useState<readonly OrderEntry[]>([]);
  const [left, setLeft] = useState<number>();
  const [error, setError] = useState<unknown>();
  const [isReading, setReading] = useState(false);
  const first = before[0] ?? entries[0];
  return {
    before: before.filter(({ entryID }) => !entries.some((each) => each.entryID === entryID)),
    earlier: left ?? earlier,
    error,
    isReading,
    readMore: () => {
      if (isReading || first === undefined) return;
      setReading(true);
      setError(undefined);
      cache
        .fetchQuery(read(thread, { id: order.orderID, before: first.entryID }))
        .then((part) => {
          setBefore((known) => [...part.entries, ...known]);
          setLeft(part.earlier);
        }, setError)
        .finally(() => setReading(false));
    },
  };
}
