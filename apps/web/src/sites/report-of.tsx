import type { Site } from '@sonnenwarte/contract/sites/site';
import { IconFileText } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../blocks/show/button.tsx';
import { ReportDialog } from '../monthly-reports/report-part.ts';

/** Opens the reports of the months of a plant. */
export function ReportOf({ site: { stationID, name } }: { site: Site }): ReactNode {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <IconButton aria-label={t('sites.share.report')} title={t('sites.share.report')} onClick={() => setOpened(true)}>
        <IconFileText size={18} stroke={1.8} aria-hidden="true" />
      </IconButton>
      {opened && <ReportDialog stationID={stationID} plant={name} onClose={() => setOpened(false)} />}
    </>
  );
}
