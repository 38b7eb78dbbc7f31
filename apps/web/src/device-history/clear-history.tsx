import { deviceHistoryEndpoints } from '@sonnenwarte/contract/device-history/device-history';
import type { DeviceRow } from '@sonnenwarte/contract/devices/device';
import type { Result } from '@sonnenwarte/contract/endpoint';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { ConfirmAction } from '../blocks/actions/confirm-action.tsx';
import { ReadFirst } from '../blocks/overlay/read-first.tsx';
import { read, useWrite } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { showNotice } from '../notices/notices.ts';

type Clear = typeof deviceHistoryEndpoints.clear;
type Counted = Result<typeof deviceHistoryEndpoints.preview>;

const countedOnce = { staleTime: 'static', gcTime: 0 } as const;

/** Counts first what was recorded of a device, then asks for its serial number before that is cleared. */
export function ClearHistory(props: ActionProps<DeviceRow, Clear>): ReactNode {
  const { row, onClose } = props;
  const { t } = useTranslation();
  const { preview } = deviceHistoryEndpoints;
  const counted = useQuery({ ...read(preview, { deviceID: row.deviceID }), ...countedOnce });
  const title = t('device-history.clear.title', { name: row.deviceSN });
  return (
    <ReadFirst query={counted} title={title} onClose={onClose} waiting={<p>{t('device-history.clear.counting')}</p>}>
      {(counts) => <Question {...props} title={title} counts={counts} />}
    </ReadFirst>
  );
}

interface QuestionProps extends ActionProps<DeviceRow, Clear> {
  title: string;
  counts: Counted;
}

function Question({ row, of, onClose, onDone, words, title, counts }: QuestionProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const write = useWrite(of, { inPlace: true });
  const { samples, firstMs, lastMs, corrections, plantName, undoDays } = counts;
  const span = {
    samples: format.number(samples),
    from: format.localTime(firstMs),
    to: format.localTime(lastMs),
  };
  return (
    <ConfirmAction
      opened
      danger
      onClose={onClose}
      title={title}
      confirmLabel={words.label}
      typed={row.deviceSN}
      onConfirm={async () => {
        const { undoUntilMs } = await write.mutateAsync({ deviceID: row.deviceID, deviceSN: row.deviceSN });
        const text = t('device-history.clear.done', { name: row.deviceSN, time: format.localTime(undoUntilMs) });
        showNotice({ id: `cleared ${row.deviceID}`, text, color: 'brand' });
        onDone();
      }}
    >
      <p>{samples === 0 ? t('device-history.clear.nothing') : t('device-history.clear.span', span)}</p>
      <p>
        {plantName === ''
          ? t('device-history.clear.meaning')
          : t('device-history.clear.meaningOfPlant', { plant: plantName })}
      </p>
      {corrections > 0 && <p>{t('device-history.clear.corrections', { number: format.number(corrections) })}</p>}
      <p>{t('device-history.clear.after', { number: format.number(undoDays) })}</p>
    </ConfirmAction>
  );
}
