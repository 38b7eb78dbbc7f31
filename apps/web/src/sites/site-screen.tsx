import { list } from '@sonnenwarte/contract/sites/sites';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Select } from '../blocks/form/select.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { DetailSkeleton } from '../blocks/show/loading.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { TitledScreen } from '../blocks/show/titled-screen.tsx';
import { read } from '../client/queries.ts';
import { useRecordID, useTab } from '../tabs/tab-context.ts';
import { lazyPart } from '../with-texts.ts';
import { SiteDetail } from './site-detail.tsx';

const RepairScreen = lazyPart(
  'data-repair',
  async () => (await import('../data-repair/repair-screen.tsx')).RepairScreen,
);

/** One plant, named by the address; `part` opens a part of it in its place. */
export function SiteScreen(): ReactNode {
  const { t } = useTranslation();
  const { query } = useTab();
  const stationID = useRecordID('stationID');
  if (stationID === undefined) {
    return (
      <TitledScreen>
        <EmptyState
          text={t('sites.list.empty')}
          action={<ScreenLink to="plant-view">{t('fleet.openList')}</ScreenLink>}
        />
      </TitledScreen>
    );
  }
  if (query.part === 'repair') return <RepairScreen key={stationID} stationID={stationID} />;
  return <SiteDetail key={stationID} stationID={stationID} titlesTab />;
}

/** The data board: the plant screen, opened on the first plant, with a choice of plants. */
export function DataViewScreen(): ReactNode {
  const { t } = useTranslation();
  const plants = useQuery(read(list, { pageSize: 50 }));
  const [chosen, setChosen] = useState<string>();
  const rows = plants.data?.plants;
  const current = rows?.find((row) => row.stationID === chosen) ?? rows?.[0];
  if (!rows) {
    if (!plants.error) return <DetailSkeleton />;
    return (
      <TitledScreen>
        <ErrorNotice error={plants.error} retry={() => void plants.refetch()} />
      </TitledScreen>
    );
  }
  if (!current) {
    return (
      <TitledScreen>
        <EmptyState text={t('fleet.noPlants')} />
      </TitledScreen>
    );
  }
  const picker = (
    <Select
      label={t('sites.picker')}
      labelHidden
      heading
      value={current.stationID}
      onChange={setChosen}
      options={rows.map((row) => ({ value: row.stationID, label: row.name }))}
    />
  );
  return <SiteDetail key={current.stationID} stationID={current.stationID} picker={picker} />;
}
