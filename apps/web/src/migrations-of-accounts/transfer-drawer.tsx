import { detail, type MigrationRow } from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../blocks/dialog.tsx';
import { ErrorNotice } from '../blocks/error-notice.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/loading.tsx';
import { PropertyList } from '../blocks/property-list.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { localZone } from '../organisations/local-zone.ts';
import { PlantMoves } from './plant-moves.tsx';

/** One transfer with the plants that moved. */
export function TransferDrawer({ row, onClose }: { row: MigrationRow; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const shown = useQuery(read(detail, { migrationID: row.migrationID }));
  return (
    <Dialog title={`${row.source} → ${row.target}`} opened onClose={onClose} shape="drawer" wide>
      <PropertyList
        items={[
          { label: t('migrations-of-accounts.field.parentAgents'), value: row.parentAgents.join(' › ') },
          {
            label: t('migrations-of-accounts.field.transferredAtMs'),
            value: format.dateTime(row.transferredAtMs, localZone()),
          },
          { label: t('migrations-of-accounts.field.transferCount'), value: format.number(row.transferCount) },
          { label: t('migrations-of-accounts.field.operatedBy'), value: row.operatedBy },
          row.undoneAtMs === null
            ? {
                label: t('migrations-of-accounts.field.undoUntilMs'),
                value: format.dateTime(row.undoUntilMs, localZone()),
              }
            : {
                label: t('migrations-of-accounts.field.undoneAtMs'),
                value: `${format.dateTime(row.undoneAtMs, localZone())} · ${row.undoneBy}`,
              },
        ]}
      />
      {shown.error && <ErrorNotice error={shown.error} retry={() => shown.refetch()} />}
      {shown.isPending && (
        <LoadingSkeleton>
          <Skeleton height="8rem" />
        </LoadingSkeleton>
      )}
      {shown.data && <PlantMoves plants={shown.data.plants} />}
    </Dialog>
  );
}
