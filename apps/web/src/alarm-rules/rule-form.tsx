import {
  type add,
  type edit,
  LONGEST_DELAY_MINUTES,
  organisations,
  plants,
  type RuleRow,
  type RuleTerms,
  receivers,
  ruleChannels,
  ruleModes,
} from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import { alarmFacts } from '@sonnenwarte/contract/incidents/alarm-facts';
import { alarmLevels } from '@sonnenwarte/contract/incidents/incidents';
import { LEVEL } from '@sonnenwarte/contract/levels';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { CheckSetField } from '../blocks/form/check-set.tsx';
import { CheckTreeField } from '../blocks/form/check-tree.tsx';
import { type EndpointForm, useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { CheckField, TextField } from '../blocks/form/fields.tsx';
import { FieldGroup, FieldRow } from '../blocks/form/form.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { NumberField } from '../blocks/form/number-field.tsx';
import { RecordField, RecordsField } from '../blocks/form/record-field.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { TimeField } from '../blocks/form/time-field.tsx';
import type { Permitted } from '../client/permit.ts';
import { useAlarmText } from '../format/alarm-text.ts';
import { useGlobalState } from '../state/global-state.ts';
import styles from './alarm-rules.module.css';
import { RulePreview } from './rule-preview.tsx';

type Values = Omit<RuleTerms, 'codes' | 'organisationID' | 'stationID' | 'escalateMinutes' | 'delayMinutes'> & {
  codes: string[];
  organisationID: string;
  stationID: string;
  escalateMinutes: number | string;
  delayMinutes: number | string;
};

const fresh: Values = {
  name: '',
  levels: [3, 4],
  codes: [],
  organisationID: '',
  stationID: '',
  delayMinutes: 15,
  channels: ['inbox'],
  mode: 'atOnce',
  digestAt: '07:00',
  quietFrom: '',
  quietTo: '',
  criticalAlways: true,
  tellsEnd: false,
  escalateMinutes: '',
  escalateTo: [],
  receivers: [],
};

const orNull = (id: string): string | null => (id === '' ? null : id);

const termsOf = ({
  codes,
  organisationID,
  stationID,
  escalateMinutes,
  delayMinutes,
  ...values
}: Values): RuleTerms => ({
  ...values,
  codes: codes.map(Number),
  organisationID: orNull(organisationID),
  stationID: orNull(stationID),
  // What is no number is refused at its field by the contract.
  delayMinutes: delayMinutes as number,
  escalateMinutes: escalateMinutes === '' ? null : (escalateMinutes as number),
});

const valuesOf = (rule: RuleRow, name: string): Values => ({
  name,
  levels: rule.levels,
  codes: rule.codes.map(String),
  organisationID: rule.organisationID ?? '',
  stationID: rule.stationID ?? '',
  delayMinutes: rule.delayMinutes,
  channels: rule.channels,
  mode: rule.mode,
  digestAt: rule.digestAt || fresh.digestAt,
  quietFrom: rule.quietFrom,
  quietTo: rule.quietTo,
  criticalAlways: rule.criticalAlways,
  tellsEnd: rule.tellsEnd,
  escalateMinutes: rule.escalateMinutes ?? '',
  escalateTo: rule.escalateTo.map(({ accountID }) => accountID),
  receivers: rule.receivers.map(({ accountID }) => accountID),
});

/** What nobody would be told of after a while. */
function useChecked(): (values: Values) => { escalateTo: string | undefined } {
  const { t } = useTranslation();
  return ({ escalateMinutes, escalateTo }) => ({
    escalateTo: escalateMinutes !== '' && escalateTo.length === 0 ? t('blocks.reason.notChosen') : undefined,
  });
}

/** A new rule. */
export function RuleAddForm({ of, onClose, words }: ActionProps<undefined, typeof add>): ReactNode {
  const { t } = useTranslation();
  const check = useChecked();
  const form = useEndpointForm(of, {
    initialValues: fresh,
    draft: 'new',
    prepare: termsOf,
    check,
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={t('alarm-rules.addTitle')} opened wide onClose={onClose} submitLabel={words.label}>
      <Terms form={form} />
    </FormDialog>
  );
}

/** A rule as it is, to be changed. */
export function RuleEditForm({ row, of, onClose }: ActionProps<RuleRow, typeof edit>): ReactNode {
  const { t } = useTranslation();
  const name = row.name || t('alarm-rules.firstRule');
  const check = useChecked();
  const form = useEndpointForm(of as Permitted<typeof edit>, {
    initialValues: valuesOf(row, name),
    draft: row.ruleID,
    prepare: (values) => ({ ...termsOf(values), ruleID: row.ruleID }),
    check,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('alarm-rules.editTitle', { name })}
      opened
      wide
      onClose={onClose}
      submitLabel={t('alarm-rules.save')}
    >
      <Terms form={form} />
    </FormDialog>
  );
}

type RuleForm = EndpointForm<Values, 'alarm-rules'>;

function Terms({ form }: { form: RuleForm }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <TextField form={form} name="name" autoFocus />
      <FieldGroup title={t('alarm-rules.section.what')}>
        <What form={form} />
      </FieldGroup>
      <FieldGroup title={t('alarm-rules.section.who')}>
        <Who form={form} />
      </FieldGroup>
      <FieldGroup title={t('alarm-rules.section.when')}>
        <When form={form} />
      </FieldGroup>
      <FieldGroup title={t('alarm-rules.section.preview')}>
        <RulePreview terms={termsOf(form.values)} />
      </FieldGroup>
    </>
  );
}

const codes = Object.keys(alarmFacts);
const groups = ['1', '2', '3', '4', '5', '6', '7'] as const;

function What({ form }: { form: RuleForm }): ReactNode {
  const { t } = useTranslation();
  const alarmText = useAlarmText();
  const access = useGlobalState((state) => state.access);
  const chosen = form.values.codes.length;
  return (
    <>
      <CheckSetField
        form={form}
        name="levels"
        choices={alarmLevels.map((value) => ({ value, label: t(`incidents.level.${value}`) }))}
      />
      <details className={styles.chosen}>
        <summary>
          <strong>{t('alarm-rules.field.codes')}</strong>{' '}
          {chosen === 0 ? t('alarm-rules.allAlarms') : t('alarm-rules.chosenAlarms', { count: chosen })}
        </summary>
        <CheckTreeField
          form={form}
          name="codes"
          groups={groups.map((group) => ({
            id: group,
            label: t(`alarm-rules.codeGroup.${group}`),
            items: codes
              .filter((code) => code.startsWith(group))
              .map((code) => ({ id: code, label: `${alarmText(Number(code)).name} (${code})` })),
          }))}
        />
      </details>
      {access !== LEVEL.endUser && access !== LEVEL.installer && (
        <RecordField
          form={form}
          name="organisationID"
          required={false}
          source={{
            endpoint: organisations,
            input: {},
            search: t('organisations.record.search'),
            none: t('organisations.record.none'),
          }}
        />
      )}
      <RecordField
        form={form}
        name="stationID"
        required={false}
        source={{ endpoint: plants, input: {}, search: t('sites.list.search'), none: t('sites.list.noMatch') }}
      />
    </>
  );
}

function Who({ form }: { form: RuleForm }): ReactNode {
  const { t } = useTranslation();
  const isOwner = useGlobalState((state) => state.access === LEVEL.endUser);
  const people = {
    endpoint: receivers,
    input: {},
    search: t('incidents.assign.search'),
    none: t('incidents.assign.none'),
  };
  return (
    <>
      <CheckSetField
        form={form}
        name="channels"
        choices={ruleChannels.map((value) => ({
          value,
          label: t(`alarm-rules.channel.${value}`),
          text: t(`alarm-rules.channelHint.${value}`),
        }))}
      />
      {!isOwner && (
        <RecordsField
          form={form}
          name="receivers"
          required={false}
          description={t('alarm-rules.receiversHint')}
          source={people}
        />
      )}
      {!isOwner && (
        <FieldRow>
          <NumberField form={form} name="escalateMinutes" required={false} integer unit="min" />
          <RecordsField form={form} name="escalateTo" required={false} source={people} />
        </FieldRow>
      )}
    </>
  );
}

function When({ form }: { form: RuleForm }): ReactNode {
  const { t } = useTranslation();
  const { mode } = form.values;
  return (
    <>
      <Segmented
        label={t('alarm-rules.field.mode')}
        value={mode}
        options={ruleModes.map((value) => ({ value, label: t(`alarm-rules.mode.${value}`) }))}
        onChange={(value) => form.setValue('mode', value)}
      />
      <FieldRow>
        <NumberField form={form} name="delayMinutes" required integer unit="min" hint={`1–${LONGEST_DELAY_MINUTES}`} />
        {mode === 'daily' && <TimeField form={form} name="digestAt" required />}
      </FieldRow>
      <FieldRow>
        <TimeField form={form} name="quietFrom" required={false} />
        <TimeField form={form} name="quietTo" required={false} />
      </FieldRow>
      <CheckField form={form} name="criticalAlways" />
      <CheckField form={form} name="tellsEnd" />
    </>
  );
}
