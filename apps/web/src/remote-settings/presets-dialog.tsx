import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { Input, Result } from '@sonnenwarte/contract/endpoint';
import { addPreset, presets, removePreset } from '@sonnenwarte/contract/remote-settings/remote-settings';
import type { SettingRule } from '@sonnenwarte/contract/remote-settings/setting';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmAction } from '../blocks/actions/confirm-action.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextField } from '../blocks/form/fields.tsx';
import { Form } from '../blocks/form/form.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button, IconButton } from '../blocks/show/button.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read, useWrite } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { showNotice } from '../notices/notices.ts';
import styles from './presets-dialog.module.css';
import { useSettingTexts } from './use-setting-text.ts';

type Kind = Input<typeof presets>['kind'];
export type Preset = Result<typeof presets>['presets'][number];

export interface PresetValue {
  readonly rule: SettingRule;
  readonly value: SettingValue;
}

/** Values that can be kept, under what they are called. */
export interface PresetOffer {
  readonly key: string;
  readonly label: string;
  readonly values: readonly PresetValue[];
}

interface PresetsDialogProps {
  kind: Kind;
  offers: readonly PresetOffer[];
  timeZone: string;
  /** Keeping alone, without what is kept already. */
  onlyKeep?: boolean;
  /** Fills in the values and writes nothing. */
  onApply?: (preset: Preset) => void;
  onClose: () => void;
}

/** Presets of the organisation: applied to the own edits, kept, taken away. */
export function PresetsDialog(props: PresetsDialogProps): ReactNode {
  const { kind, offers, onlyKeep = false, onApply, onClose } = props;
  const { t } = useTranslation();
  const query = useQuery(read(presets, { kind }));
  return (
    <Dialog
      opened
      wide
      title={t(onlyKeep ? 'setting-screens.preset.keep' : 'setting-screens.preset.title')}
      onClose={onClose}
    >
      <div className={styles.parts}>
        {!onlyKeep && (
          <>
            <ReadState query={query}>
              <Skeleton height="6rem" />
            </ReadState>
            {query.data?.presets.length === 0 && <EmptyState text={t('setting-screens.preset.none')} />}
            <ul className={styles.presets}>
              {query.data?.presets.map((preset) => (
                <PresetLine key={preset.presetID} {...props} preset={preset} {...(onApply && { onApply })} />
              ))}
            </ul>
          </>
        )}
        {offers.some(({ values }) => values.length > 0) && (
          <Keep
            kind={kind}
            offers={offers.filter(({ values }) => values.length > 0)}
            onDone={onlyKeep ? onClose : undefined}
          />
        )}
      </div>
    </Dialog>
  );
}

function PresetLine({ preset, timeZone, onApply, onClose }: PresetsDialogProps & { preset: Preset }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const texts = useSettingTexts();
  const remove = useWrite(removePreset, { inPlace: true });
  const [asked, setAsked] = useState(false);
  const { name, values, by, atMs, can } = preset;
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <p>{values.map(({ rule, value }) => `${texts.label(rule)} ${texts.value(rule, value)}`).join(' · ')}</p>
        <small>{[by, format.dateTime(atMs, timeZone)].filter((each) => each !== '').join(' · ')}</small>
      </div>
      {onApply && (
        <Button
          small
          aria-label={`${t('setting-screens.preset.apply')}: ${name}`}
          onClick={() => {
            onApply(preset);
            onClose();
          }}
        >
          {t('setting-screens.preset.apply')}
        </Button>
      )}
      {can.remove && (
        <IconButton aria-label={t('setting-screens.preset.remove', { name })} onClick={() => setAsked(true)}>
          <IconTrash size={16} aria-hidden="true" />
        </IconButton>
      )}
      <ConfirmAction
        opened={asked}
        danger
        title={t('setting-screens.preset.askRemove', { name })}
        confirmLabel={t('setting-screens.preset.removeIt')}
        onClose={() => setAsked(false)}
        onConfirm={() => remove.mutateAsync({ presetID: preset.presetID })}
      >
        <p>{t('setting-screens.preset.removed')}</p>
      </ConfirmAction>
    </li>
  );
}

interface KeepProps {
  kind: Kind;
  offers: readonly PresetOffer[];
  onDone: (() => void) | undefined;
}

function Keep({ kind, offers, onDone }: KeepProps): ReactNode {
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const [key, setKey] = useState(offers[0]?.key ?? '');
  const offer = offers.find((each) => each.key === key) ?? offers[0];
  const form = useEndpointForm(addPreset, {
    texts: 'setting-screens',
    initialValues: { name: '' },
    draft: false,
    prepare: ({ name }) => ({
      kind,
      name,
      values: (offer?.values ?? []).map(({ rule, value }) => ({ name: rule.name, value })),
    }),
    onDone: (_, { name }) => {
      showNotice({ id: 'preset-kept', text: t('setting-screens.preset.kept', { name }), color: 'brand' });
      form.discard();
      onDone?.();
    },
  });
  return (
    <section className={styles.keep}>
      <h3>{t('setting-screens.preset.keepNew')}</h3>
      {offers.length > 1 && (
        <Segmented
          label={t('setting-screens.preset.what')}
          value={key}
          options={offers.map((each) => ({ value: each.key, label: each.label }))}
          onChange={setKey}
        />
      )}
      <p className={styles.values}>
        {offer?.values.map(({ rule, value }) => `${texts.label(rule)} ${texts.value(rule, value)}`).join(' · ')}
      </p>
      <Form form={form} submitLabel={t('setting-screens.preset.keep')}>
        <TextField form={form} name="name" />
      </Form>
    </section>
  );
}
