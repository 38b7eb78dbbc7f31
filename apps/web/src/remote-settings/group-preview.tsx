import { type PreviewRow, preview, run } from '@sonnenwarte/contract/remote-settings/group-remote';
import { MOST_DEVICES_OF_A_GROUP } from '@sonnenwarte/contract/remote-settings/remote-settings';
import { IconAlertTriangle, IconBookmark, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Select } from '../blocks/form/select.tsx';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { PropertyList } from '../blocks/show/property-list.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { openScreen } from '../blocks/show/screen-link.tsx';
import { read, useWrite } from '../client/queries.ts';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';
import { go } from '../router/navigation.ts';
import { pathOf } from '../tabs/tab-context.ts';
import styles from './group.module.css';
import { changeGroup, dropGroup, type GroupDraft, wholeValues } from './group-draft.ts';
import { GroupFrame } from './group-screen.tsx';
import { PresetsDialog } from './presets-dialog.tsx';
import { costOf, fateOf } from './preview-fate.ts';
import { PreviewTable } from './preview-table.tsx';
import { newRequestID } from './request-id.ts';
import { useGroupRules } from './use-group-rules.ts';
import { useSettingTexts } from './use-setting-text.ts';
import { WriteDialog } from './write-dialog.tsx';

const EXPIRES_MIN = 10;

/** Third step: what would happen to each device, what that costs, and when it is to stop. */
export function PreviewStep({ draft }: { draft: GroupDraft }): ReactNode {
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const values = wholeValues(draft);
  const query = useQuery(read(preview, { deviceIDs: draft.deviceIDs, values }));
  const rules = useGroupRules(draft);
  const running = useWrite(run, { inPlace: true });
  const [opened, setOpened] = useState<'confirm' | 'preset'>();
  /** The same however often it is tried. */
  const [requestID] = useState(newRequestID);
  const rows = query.data?.rows ?? [];
  const chosen = rows.filter((row) => fateOf(row).isWritten && !draft.without.includes(row.deviceID));
  const what = values.map(({ name, value }) => {
    const rule = rules.get(name);
    return rule ? t('setting-screens.many.to', { name: texts.label(rule), value: texts.value(rule, value) }) : name;
  });

  const begin = async (confirmation: string, requestID: string) => {
    const { groupID } = await running.mutateAsync({
      name: draft.name.trim(),
      deviceIDs: chosen.map(({ deviceID }) => deviceID),
      values,
      stopAfter: draft.stopAfter,
      confirmation,
      requestID,
    });
    go(pathOf('group-remote'), { id: groupID }, { replace: true });
    dropGroup();
  };

  return (
    <GroupFrame
      step="preview"
      subtitle={`${what.join(', ')} · ${t('setting-screens.many.chosen', { count: draft.deviceIDs.length })}`}
    >
      <ReadState query={query}>
        <Skeleton height="20rem" />
      </ReadState>
      {query.data && (
        <div className={styles.two}>
          <div className={styles.column}>
            <PreviewTable
              rows={rows}
              rules={rules}
              without={draft.without}
              onWithout={(without) => changeGroup({ without: [...without] })}
            />
            {running.error !== null && opened === undefined && <ErrorNotice error={running.error} />}
            <footer className={styles.next}>
              <Button look="plain" onClick={() => openScreen({ to: 'group-remote', query: { step: 'values' } })}>
                {t('setting-screens.many.back')}
              </Button>
              <Button onClick={() => setOpened('preset')}>
                <IconBookmark size={16} aria-hidden="true" />
                {t('setting-screens.preset.keep')}
              </Button>
              <Button
                look="filled"
                disabled={chosen.length === 0 || running.isPending}
                onClick={() => {
                  if (query.data.isDangerous) setOpened('confirm');
                  else {
                    void begin('', requestID).catch(() => {
                      // It stands above the buttons.
                    });
                  }
                }}
              >
                <IconSend size={16} aria-hidden="true" />
                {t('setting-screens.many.run', { count: chosen.length })}
              </Button>
            </footer>
          </div>
          <aside className={styles.column} aria-label={t('setting-screens.many.rules')}>
            <Costs rows={chosen} without={draft.without} />
            <Rules draft={draft} />
          </aside>
        </div>
      )}
      {opened === 'confirm' && (
        <WriteDialog
          title={t('setting-screens.write.dangerous')}
          label={t('setting-screens.many.run', { count: chosen.length })}
          isDangerous
          changes={values.flatMap(({ name, value }) => {
            const rule = rules.get(name);
            return rule ? [{ rule, from: null, fromMs: null, to: value }] : [];
          })}
          typed={{ text: String(chosen.length), ask: t('setting-screens.write.typeCount') }}
          undo={t('setting-screens.write.undoMany')}
          timeZone={localZone()}
          onClose={() => setOpened(undefined)}
          onWrite={begin}
        />
      )}
      {opened === 'preset' && (
        <PresetsDialog
          kind={draft.kind}
          onlyKeep
          offers={[
            {
              key: 'values',
              label: '',
              values: values.flatMap(({ name, value }) => {
                const rule = rules.get(name);
                return rule ? [{ rule, value }] : [];
              }),
            },
          ]}
          timeZone={localZone()}
          onClose={() => setOpened(undefined)}
        />
      )}
    </GroupFrame>
  );
}

function Costs({ rows, without }: { rows: readonly PreviewRow[]; without: readonly string[] }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const cost = costOf(rows);
  if (cost.known === 0 || Math.abs(cost.wh) < 1) {
    return (
      <Panel title={t('setting-screens.cost.title')}>
        <p className={styles.note}>
          {t(cost.known === 0 ? 'setting-screens.cost.unknownMany' : 'setting-screens.cost.none')}
        </p>
      </Panel>
    );
  }
  const { worst } = cost;
  return (
    <>
      <Panel title={t('setting-screens.cost.title')}>
        <PropertyList
          items={[
            { label: t('setting-screens.cost.energy'), value: format.energy(cost.wh) },
            ...[...cost.money].map(([currency, amount]) => ({
              label: t('setting-screens.cost.money', { currency: format.currencySign(currency) }),
              value: format.money(String(amount), currency),
            })),
            ...(worst
              ? [
                  {
                    label: t('setting-screens.cost.ofWhich', { name: worst.stationName }),
                    value: format.energy(worst.costWhPerDay),
                  },
                ]
              : []),
          ]}
        />
        <p className={styles.note}>{t('setting-screens.cost.basis', { number: cost.known, count: rows.length })}</p>
      </Panel>
      {worst && rows.length > 1 && (
        <div className={styles.warn} role="note">
          <IconAlertTriangle size={18} aria-hidden="true" />
          <p>
            {t('setting-screens.cost.worst', { name: worst.stationName, sn: worst.deviceSN })}{' '}
            <button
              type="button"
              className={styles.act}
              onClick={() => changeGroup({ without: [...without, worst.deviceID] })}
            >
              {t('setting-screens.many.leaveOut')}
            </button>
          </p>
        </div>
      )}
    </>
  );
}

const stops = [1, 3, 5, 10, 25, 100] as const;

function Rules({ draft }: { draft: GroupDraft }): ReactNode {
  const { t } = useTranslation();
  return (
    <Panel title={t('setting-screens.many.rules')}>
      <div className={styles.rules}>
        <Select
          label={t('setting-screens.many.stopAfter')}
          value={String(draft.stopAfter ?? '')}
          options={[
            ...stops.map((count) => ({
              value: String(count),
              label: t('setting-screens.many.refusals', { count }),
            })),
            { value: '', label: t('setting-screens.many.neverStop') },
          ]}
          onChange={(value) =>
            changeGroup({ stopAfter: value === '' ? null : Math.min(Number(value), MOST_DEVICES_OF_A_GROUP) })
          }
        />
        <label className={styles.named}>
          {t('setting-screens.many.name')}
          <input
            type="text"
            maxLength={64}
            value={draft.name}
            autoComplete="off"
            onChange={(event) => changeGroup({ name: event.currentTarget.value })}
          />
        </label>
        <PropertyList
          items={[
            {
              label: t('setting-screens.many.expiresAfter'),
              value: t('setting-screens.minutes', { count: EXPIRES_MIN }),
            },
            { label: t('setting-screens.many.proof'), value: t('setting-screens.many.readBack') },
          ]}
        />
      </div>
    </Panel>
  );
}
