import type { Endpoint, Input, ListEndpoint } from '@sonnenwarte/contract/endpoint';
import type { ExportEndpoint, ExportFormat } from '@sonnenwarte/contract/exports';
import { IconDownload, IconFileSpreadsheet, IconFileText } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { download } from '../../client/download.ts';
import { useLineBroken } from '../../live/line-state.ts';
import { Can } from '../actions/can.tsx';
import { ActionMenu } from '../overlay/action-menu.tsx';
import { ToolFace, toolButton } from './tool-face.tsx';
import type { List } from './use-list.ts';

interface ExportButtonProps<L extends ListEndpoint> {
  endpoint: ExportEndpoint<NoInfer<L>>;
  list: List<L>;
  /** What the file holds, in this order; fields of the list. */
  columns: readonly { field: string }[];
  /** Rows that are chosen, as filters that name them; else all that the filters let through. */
  among?: Readonly<Record<string, unknown>>;
  word?: string;
}

/** Saves every row that the filters let through, not only the page that is shown, as CSV or XLSX. */
export function ExportButton<const L extends ListEndpoint>(props: ExportButtonProps<L>) {
  const { endpoint, list, columns, among } = props;
  const { t } = useTranslation();
  const word = props.word ?? t('blocks.export.button');
  const [busy, setBusy] = useState(false);
  const broken = useLineBroken();

  const save = async (format: ExportFormat) => {
    if (busy) return;
    setBusy(true);
    const { condition, sort } = list.value;
    // What was chosen stays chosen, whatever the filters say of it by now.
    const rows = among ?? condition;
    const input = {
      format,
      columns: columns.map(({ field }) => field),
      ...(rows === undefined ? {} : { condition: rows }),
      ...(sort === undefined ? {} : { sort }),
    };
    try {
      await download(endpoint as Endpoint, input as Input<Endpoint>, `export.${format}`);
    } catch {
      // The client has said it.
    } finally {
      setBusy(false);
    }
  };

  // A file of nothing, or one that cannot come, is not made.
  const disabledReason = list.total === 0 ? t('blocks.export.empty') : broken ? t('common.noConnection') : undefined;

  return (
    <Can of={endpoint as Endpoint}>
      <ActionMenu
        label={busy ? t('blocks.export.running') : word}
        className={toolButton}
        button={<ToolFace icon={<IconDownload size={16} aria-hidden="true" />} word={word} busy={busy} />}
        actions={[
          {
            label: t('blocks.export.csv'),
            icon: <IconFileText aria-hidden="true" />,
            disabledReason,
            onSelect: () => void save('csv'),
          },
          {
            label: t('blocks.export.xlsx'),
            icon: <IconFileSpreadsheet aria-hidden="true" />,
            disabledReason,
            onSelect: () => void save('xlsx'),
          },
        ]}
      />
    </Can>
  );
}
