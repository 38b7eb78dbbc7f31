import { exportHistory } from '@sonnenwarte/contract/devices/devices';
import { type ExportFormat, exportFormats } from '@sonnenwarte/contract/exports';
import { IconDownload } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ToolFace, toolButton } from '../blocks/list/tool-face.tsx';
import { ActionMenu } from '../blocks/overlay/action-menu.tsx';
import { download } from '../client/download.ts';
import type { CalendarDay } from '../format/dates.ts';
import { useLineBroken } from '../live/line-state.ts';

/** Saves all that a device told on a day. */
export function DayFileButton({ deviceID, date }: { deviceID: string; date: CalendarDay }): ReactNode {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const broken = useLineBroken();
  const save = async (format: ExportFormat) => {
    if (busy) return;
    setBusy(true);
    try {
      await download(exportHistory, { deviceID, date, format }, `${date}.${format}`);
    } catch {
      // The client has said it.
    } finally {
      setBusy(false);
    }
  };
  return (
    <ActionMenu
      label={t(busy ? 'blocks.export.running' : 'devices.rawFile')}
      className={toolButton}
      button={<ToolFace icon={<IconDownload size={16} aria-hidden="true" />} word={t('devices.rawFile')} busy={busy} />}
      actions={exportFormats.map((format) => ({
        label: t(`blocks.export.${format}`),
        icon: <IconDownload aria-hidden="true" />,
        disabledReason: broken ? t('common.noConnection') : undefined,
        onSelect: () => void save(format),
      }))}
    />
  );
}
