import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import { rules } from '@sonnenwarte/contract/remote-settings/group-remote';
import type { SettingRule } from '@sonnenwarte/contract/remote-settings/setting';
import { IconBookmark, IconLock, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Select } from '../blocks/form/select.tsx';
import { Button, IconButton } from '../blocks/show/button.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { openScreen } from '../blocks/show/screen-link.tsx';
import { read } from '../client/queries.ts';
import { localZone } from '../format/local-zone.ts';
import styles from './group.module.css';
import { changeGroup, type GroupDraft } from './group-draft.ts';
import { GroupFrame } from './group-screen.tsx';
import { PresetsDialog } from './presets-dialog.tsx';
import { SettingField } from './setting-field.tsx';
import { useSettingTexts } from './use-setting-text.ts';
import { refusalOf } from './values.ts';

const without = <V,>(record: Readonly<Record<string, V>>, name: string): Record<string, V> =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));

/** Second step: the values, within the bounds that hold for all of the chosen devices. */
export function ValueStep({ draft }: { draft: GroupDraft }): ReactNode {
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const [presets, setPresets] = useState(false);
  const query = useQuery(read(rules, { deviceIDs: draft.deviceIDs }));
  const all = query.data?.rules ?? [];
  const named = Object.keys(draft.values);
  const chosen = all.filter(({ name }) => named.includes(name));
  const strange = query.data ? named.filter((name) => !all.some((rule) => rule.name === name)) : [];
  const free = all.filter(({ name }) => !named.includes(name));
  const isWhole =
    chosen.length > 0 &&
    strange.length === 0 &&
    chosen.every((rule) => refusalOf(rule, draft.values[rule.name] ?? null) === undefined);
  const offers = [
    {
      key: 'values',
      label: t('setting-screens.many.step.values'),
      values: chosen.flatMap((rule) => {
        const value = draft.values[rule.name] ?? null;
        return value === null || refusalOf(rule, value) ? [] : [{ rule, value }];
      }),
    },
  ];
  return (
    <GroupFrame step="values" subtitle={t('setting-screens.many.valuesHint', { count: draft.deviceIDs.length })}>
      <Panel
        title={t('setting-screens.many.step.values')}
        actions={
          <Button small onClick={() => setPresets(true)}>
            <IconBookmark size={16} aria-hidden="true" />
            {t('setting-screens.preset.title')}
          </Button>
        }
      >
        <ReadState query={query}>
          <Skeleton height="10rem" />
        </ReadState>
        {query.data && all.length === 0 && <EmptyState text={t('setting-screens.many.nothingInCommon')} />}
        <ul className={styles.values}>
          {chosen.map((rule) => (
            <ValueLine key={rule.name} rule={rule} draft={draft} />
          ))}
          {strange.map((name) => (
            <li key={name}>
              <div>
                <b>{name}</b>
                <p>{t('setting-screens.many.notOfAll')}</p>
              </div>
              <RemoveValue draft={draft} name={name} label={name} />
            </li>
          ))}
        </ul>
        {free.length > 0 && (
          <Select
            className={styles.addValue}
            label={t('setting-screens.many.addValue')}
            value=""
            options={[
              { value: '', label: t('setting-screens.many.chooseSetting') },
              ...free.map((rule) => ({
                value: rule.name,
                label: `${t(`setting-screens.group.${rule.group}`)} · ${texts.label(rule)}`,
              })),
            ]}
            onChange={(name) => {
              if (name !== '') changeGroup({ values: { ...draft.values, [name]: null } });
            }}
          />
        )}
      </Panel>
      <footer className={styles.next}>
        <Button look="plain" onClick={() => openScreen({ to: 'group-remote', query: { step: 'devices' } })}>
          {t('setting-screens.many.back')}
        </Button>
        <Button
          look="filled"
          disabled={!isWhole}
          onClick={() => openScreen({ to: 'group-remote', query: { step: 'preview' } })}
        >
          {t('setting-screens.many.toPreview')}
        </Button>
      </footer>
      {presets && (
        <PresetsDialog
          kind={draft.kind}
          offers={offers}
          timeZone={localZone()}
          onClose={() => setPresets(false)}
          onApply={({ values }) =>
            changeGroup({
              values: { ...draft.values, ...Object.fromEntries(values.map(({ rule, value }) => [rule.name, value])) },
              typed: {},
            })
          }
        />
      )}
    </GroupFrame>
  );
}

function ValueLine({ rule, draft }: { rule: SettingRule; draft: GroupDraft }): ReactNode {
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const value: SettingValue | null = draft.values[rule.name] ?? null;
  const typed = draft.typed[rule.name];
  const bounds = rule.form === 'number' ? texts.bounds(rule) : '';
  const edit =
    value === null && typed === undefined ? undefined : { value, basedOn: null, ...(typed !== undefined && { typed }) };
  return (
    <li>
      <div>
        <b>
          {texts.label(rule)}
          {rule.isDangerous && <IconLock size={14} role="img" aria-label={t('setting-screens.status.typing')} />}
        </b>
        <p>{[texts.meaning(rule), bounds].filter((each) => each !== '').join(' · ')}</p>
      </div>
      <SettingField
        rule={rule}
        wanted={null}
        reported={null}
        edit={edit}
        onEdit={(next) =>
          changeGroup({
            values: { ...draft.values, [rule.name]: next?.value ?? null },
            typed:
              next?.typed === undefined ? without(draft.typed, rule.name) : { ...draft.typed, [rule.name]: next.typed },
          })
        }
      />
      <RemoveValue draft={draft} name={rule.name} label={texts.label(rule)} />
    </li>
  );
}

function RemoveValue({ draft, name, label }: { draft: GroupDraft; name: string; label: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <IconButton
      aria-label={t('setting-screens.many.removeValue', { name: label })}
      onClick={() => changeGroup({ values: without(draft.values, name), typed: without(draft.typed, name) })}
    >
      <IconTrash size={16} aria-hidden="true" />
    </IconButton>
  );
}
