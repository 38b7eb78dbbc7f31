import type { FaultRecordRow, RecordContent, RecordFellow } from '@sonnenwarte/contract/fault-records/fault-record';
import { detail, download as downloadCall, recordFormats } from '@sonnenwarte/contract/fault-records/fault-records';
import { IconX } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { Can } from '../blocks/actions/can.tsx';
import { deviceTarget } from '../blocks/devices/detail-target.ts';
import { Select } from '../blocks/form/select.tsx';
import { Button, IconButton } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { DetailSkeleton, LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { download } from '../client/download.ts';
import { read } from '../client/queries.ts';
import { useAlarmText } from '../format/alarm-text.ts';
import { useFormat } from '../format/use-format.ts';
import { recordActions } from './record-actions.tsx';
import { StateCell, TriggerText } from './record-cells.tsx';
import { RecordValues } from './record-values.tsx';
import styles from './records.module.css';
import { WavePlot } from './wave-plot.tsx';

const PLOT_PX = 620;
const words = { csv: 'CSV', comtrade: 'COMTRADE' } as const;
const fetchOnly = ['fetch'];

/** One record below the list: what it holds, beside another one where that is asked for. */
export function OpenRecord({ recordID, onClose }: { recordID: string; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const alarmText = useAlarmText();
  const format = useFormat();
  const place = useRef<HTMLElement>(null);
  const { data, error, refetch } = useQuery(read(detail, { id: recordID }));
  const isThere = data !== undefined;
  useEffect(() => {
    if (isThere) place.current?.scrollIntoView({ block: 'start' });
  }, [isThere]);
  const name = data && alarmText(data.record.code).name;
  const device = data && deviceTarget({ kind: data.record.kind, deviceID: data.record.deviceID });
  return (
    <section ref={place} className={styles.record} aria-label={t('fault-records.record.title')}>
      <header className={styles.head}>
        <div>
          <h2>
            {name ?? t('fault-records.record.title')} {data && <small translate="no">{data.record.code}</small>}
          </h2>
          {data && (
            <p className={styles.about}>
              {device ? (
                <ScreenLink {...device}>
                  <span translate="no">{data.record.deviceSN}</span>
                </ScreenLink>
              ) : (
                data.record.deviceSN
              )}
              {data.record.model !== '' && ` · ${data.record.model}`}
              {' · '}
              <ScreenLink to="plant-detail" query={{ id: data.record.stationID }}>
                {data.record.plantName}
              </ScreenLink>
              {` · ${format.exactTime(data.record.occurredMs, data.record.ianaTimezone)}`}
            </p>
          )}
        </div>
        <div className={styles.acts}>
          {data && <ActionButtons table={recordActions} row={data.record} look="filled" only={fetchOnly} />}
          {data?.record.can.download === true && <SaveButtons record={data.record} />}
          <IconButton aria-label={t('fault-records.record.close')} onClick={onClose}>
            <IconX size={18} aria-hidden="true" />
          </IconButton>
        </div>
      </header>
      {error && <ErrorNotice error={error} retry={() => void refetch()} keepsShown={isThere} />}
      {!data && !error && <DetailSkeleton />}
      {data && (
        <div className={styles.facts}>
          <StateCell row={data.record} />
          {data.record.trigger !== '' && <TriggerText row={data.record} />}
        </div>
      )}
      {data && data.content === null && <NotHere record={data.record} />}
      {data?.content && (
        <Content record={data.record} content={data.content} fellows={data.fellows} name={name ?? ''} />
      )}
    </section>
  );
}

function NotHere({ record: { state, isOnDevice } }: { record: FaultRecordRow }): ReactNode {
  const { t } = useTranslation();
  const isUnderWay = state === 'asked' || state === 'receiving';
  return (
    <p className={styles.note}>
      {t(`fault-records.record.${isUnderWay ? 'underWay' : isOnDevice ? 'inDevice' : 'notThere'}`)}
    </p>
  );
}

interface ContentProps {
  record: FaultRecordRow;
  content: RecordContent;
  fellows: readonly RecordFellow[];
  name: string;
}

function Content({ record, content, fellows, name }: ContentProps): ReactNode {
  const { t } = useTranslation();
  const alarmText = useAlarmText();
  const format = useFormat();
  const [chosen, setChosen] = useState('');
  const fellow = fellows.find(({ recordID }) => recordID === chosen);
  const other = useQuery({
    ...read(detail, { id: chosen || record.recordID }),
    enabled: fellow !== undefined,
    placeholderData: keepPreviousData,
  });
  const compared = fellow && other.data?.record.recordID === chosen ? (other.data.content ?? undefined) : undefined;
  const label = (each: RecordFellow): string =>
    [
      each.of === 'device' ? t('fault-records.record.ofDevice') : t('fault-records.record.ofNeighbour'),
      each.of === 'device' ? '' : each.deviceSN,
      alarmText(each.code).name,
      format.plantTime(each.occurredMs, each.ianaTimezone),
    ]
      .filter((part) => part !== '')
      .join(' · ');
  return (
    <>
      <div className={styles.compare}>
        {fellows.length === 0 ? (
          <p className={styles.note}>{t('fault-records.record.compareNone')}</p>
        ) : (
          <Select
            label={t('fault-records.record.compare')}
            value={chosen}
            options={[
              { value: '', label: t('fault-records.record.alone') },
              ...fellows.map((each) => ({ value: each.recordID, label: label(each) })),
            ]}
            onChange={setChosen}
          />
        )}
        {fellow && other.error && <ErrorNotice error={other.error} retry={() => void other.refetch()} />}
      </div>
      <Suspense
        fallback={
          <LoadingSkeleton>
            <Skeleton height={`${PLOT_PX}px`} />
          </LoadingSkeleton>
        }
      >
        <WavePlot
          name={`${name}, ${record.deviceSN}`}
          content={content}
          {...(compared && fellow && { compared: { content: compared, name: label(fellow) } })}
        />
      </Suspense>
      <RecordValues content={content} compared={compared} comparedName={fellow ? label(fellow) : ''} />
    </>
  );
}

function SaveButtons({ record }: { record: FaultRecordRow }): ReactNode {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const save = async (format: keyof typeof words) => {
    if (busy) return;
    setBusy(true);
    try {
      await download(downloadCall, { id: record.recordID, format }, `${record.deviceSN}-${record.code}-${format}.zip`);
    } catch {
      // The client has said it.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Can of={downloadCall}>
      {recordFormats.map((format) => (
        <Button
          key={format}
          aria-disabled={busy || undefined}
          aria-label={`${t('fault-records.record.save')}: ${words[format]}`}
          onClick={() => void save(format)}
        >
          {words[format]}
        </Button>
      ))}
    </Can>
  );
}
