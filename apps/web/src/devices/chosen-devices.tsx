import { MOST_CURVES } from '@sonnenwarte/contract/analysis/analysis';
import { MOST_CHOSEN_DEVICES } from '@sonnenwarte/contract/devices/device';
import type { ListEndpoint } from '@sonnenwarte/contract/endpoint';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { type Selection, useSelection } from '../blocks/list/selection.tsx';
import type { List } from '../blocks/list/use-list.ts';
import { Button } from '../blocks/show/button.tsx';
import { openScreen } from '../blocks/show/screen-link.tsx';
import { beginGroup, changeGroup } from '../remote-settings/group-draft.ts';
import { useGlobalState } from '../state/global-state.ts';
import type { Family } from './families.tsx';

interface ChosenProps<L extends ListEndpoint> {
  family: Family<L>;
  devices: List<L>;
  columns: readonly { field: string }[];
}

/** Devices chosen in the list of their kind, and what can be done with several: nothing of it writes at once. */
export function useChosenDevices<const L extends ListEndpoint>(props: ChosenProps<L>): Selection {
  const chosen = useSelection();
  return {
    ...chosen,
    canSelect: (key) => chosen.keys.has(key) || chosen.keys.size < MOST_CHOSEN_DEVICES,
    actions: <ChosenActions {...props} ids={[...chosen.keys]} />,
  };
}

function ChosenActions<const L extends ListEndpoint>(props: ChosenProps<L> & { ids: readonly string[] }): ReactNode {
  const { family, devices, columns, ids } = props;
  const { kind, compared, isSettable = false } = family;
  const { t } = useTranslation();
  const open = useGlobalState(({ menuCode }) => menuCode) ?? [];
  const isTooMany = ids.length > MOST_CURVES;
  const compare = () => {
    // Curves as the address of the analysis names them.
    const curves = ids.map((id, place) => [`c${place + 1}`, `${id}:${compared}`]);
    openScreen({ to: 'analysis', query: Object.fromEntries(curves) });
  };
  const setTogether = () => {
    beginGroup(kind);
    changeGroup({ deviceIDs: [...ids] });
    openScreen({ to: 'group-remote', query: { step: 'values' } });
  };
  return (
    <>
      {isSettable && open.includes('group-remote') && (
        <Button small onClick={setTogether}>
          {t('devices.chosen.set')}
        </Button>
      )}
      {open.includes('analysis') && (
        <Button small disabled={isTooMany} onClick={compare}>
          {t('devices.chosen.compare')}
        </Button>
      )}
      <ExportButton
        endpoint={family.file}
        list={devices}
        columns={columns}
        among={{ deviceIDs: ids }}
        word={t('devices.chosen.save')}
      />
      {isTooMany && <small>{t('devices.chosen.tooMany', { count: MOST_CURVES })}</small>}
    </>
  );
}
