import type { Result } from '@sonnenwarte/contract/endpoint';
import { mail, months } from '@sonnenwarte/contract/monthly-reports/monthly-reports';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Select } from '../blocks/form/select.tsx';
import { Toggle } from '../blocks/form/toggle.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read, useWrite } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { showNotice } from '../notices/notices.ts';
import styles from './monthly-reports.module.css';
import { ReportSheet } from './report-sheet.tsx';

export interface ReportDialogProps {
  stationID: string;
  plant: string;
  onClose: () => void;
}

/** The report of each month of a plant: to be read, saved, and sent each month. */
export function ReportDialog({ stationID, plant, onClose }: ReportDialogProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useQuery(read(months, { stationID }));
  const [chosen, setChosen] = useState<string>();
  const there = query.data?.months ?? [];
  // The newest whole month; where there is none, the running one.
  const month = chosen ?? (there.find(({ isRunning }) => !isRunning) ?? there[0])?.month;
  const nameOf = ({ month, isRunning }: Result<typeof months>['months'][number]): string => {
    const name = format.month(`${month}-01`);
    return isRunning ? t('monthly-reports.running', { month: name }) : name;
  };
  return (
    <Dialog title={t('monthly-reports.about', { plant })} opened onClose={onClose} shape="drawer" wide>
      <ReadState query={query}>
        <Skeleton height="20rem" />
      </ReadState>
      {query.data && month === undefined && <EmptyState text={t('monthly-reports.none')} />}
      {query.data && month !== undefined && (
        <div className={styles.report}>
          <div className={styles.choice}>
            <Select
              label={t('monthly-reports.month')}
              value={month}
              onChange={setChosen}
              options={there.map((each) => ({ value: each.month, label: nameOf(each) }))}
            />
            <ByMail stationID={stationID} plant={plant} mail={query.data.mail} />
          </div>
          <ReportSheet
            key={month}
            stationID={stationID}
            month={month}
            name={format.month(`${month}-01`)}
            plant={plant}
          />
        </div>
      )}
    </Dialog>
  );
}

interface ByMailProps {
  stationID: string;
  plant: string;
  mail: Result<typeof months>['mail'];
}

function ByMail({ stationID, plant, mail: { isOn, to } }: ByMailProps): ReactNode {
  const { t } = useTranslation();
  const write = useWrite(mail);
  const change = (next: boolean): void =>
    write.mutate(
      { stationID, isOn: next },
      {
        onSuccess: () =>
          showNotice({
            id: `monthly-report-${next}`,
            color: 'brand',
            text: t(next ? 'monthly-reports.mailOn' : 'monthly-reports.mailOff', { plant }),
          }),
      },
    );
  if (to === '' && !isOn) return <p className={styles.hint}>{t('monthly-reports.mailUnconfirmed')}</p>;
  return (
    <div className={styles.mail}>
      <Toggle label={t('monthly-reports.mail')} checked={isOn} busy={write.isPending} onChange={change} />
      <p className={styles.hint}>
        {to === '' ? t('monthly-reports.mailUnconfirmed') : t('monthly-reports.mailTo', { address: to })}
      </p>
    </div>
  );
}
