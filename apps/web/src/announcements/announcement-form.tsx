import type { AnnouncementRow, add, edit } from '@sonnenwarte/contract/announcements/announcements';
import { type Language, languages } from '@sonnenwarte/contract/languages';
import { isLevel, type Level, levels } from '@sonnenwarte/contract/levels';
import { languageNames } from '@sonnenwarte/phrases/languages';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { momentAtClock } from '../analysis/clock-moment.ts';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { CheckSetField } from '../blocks/form/check-set.tsx';
import { DateField } from '../blocks/form/date-field.tsx';
import { type EndpointForm, useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField, TextAreaField, TextField } from '../blocks/form/fields.tsx';
import { FieldRow } from '../blocks/form/form.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { RecordsField } from '../blocks/form/record-field.tsx';
import { RowGroup } from '../blocks/form/row-group.tsx';
import { TimeField } from '../blocks/form/time-field.tsx';
import { serverNowMs } from '../client/clock.ts';
import { addDays, clockOf, localDay } from '../format/dates.ts';
import { localZone } from '../format/local-zone.ts';
import { useOrganisationSource } from '../organisations/organisation-source.ts';

interface Words {
  language: Language;
  title: string;
  text: string;
}

interface Values {
  fromDay: string;
  fromTime: string;
  untilDay: string;
  untilTime: string;
  levels: Level[];
  organisationIDs: string[];
  words: Words[];
}

const WEEK_DAYS = 7;
const FIRST: Language = 'de';

const momentParts = (tsMs: number) => ({ day: localDay(tsMs, localZone()), time: clockOf(tsMs, localZone()) });

function fresh(): Values {
  const { day, time } = momentParts(serverNowMs());
  return {
    fromDay: day,
    fromTime: time,
    untilDay: addDays(day, WEEK_DAYS),
    untilTime: time,
    levels: levels.filter((level) => level !== 255),
    organisationIDs: [],
    words: [{ language: FIRST, title: '', text: '' }],
  };
}

function valuesOf(row: AnnouncementRow): Values {
  const [from, until] = [momentParts(row.fromMs), momentParts(row.untilMs)];
  return {
    fromDay: from.day,
    fromTime: from.time,
    untilDay: until.day,
    untilTime: until.time,
    levels: row.levels.filter(isLevel),
    organisationIDs: row.organisations.map(({ organisationID }) => organisationID),
    words: row.words.map((words) => ({ ...words })),
  };
}

const toMs = (day: string, time: string): number => momentAtClock(day, time, localZone()) ?? 0;

const sentOf = ({ fromDay, fromTime, untilDay, untilTime, ...values }: Values) => ({
  ...values,
  fromMs: toMs(fromDay, fromTime),
  untilMs: toMs(untilDay, untilTime),
});

/** What is wrong with the times, at the day to which it belongs. */
function useChecked(): (values: Values) => { untilDay: string | undefined; fromDay: string | undefined } {
  const { t } = useTranslation();
  return ({ fromDay, fromTime, untilDay, untilTime }) => {
    const [fromMs, untilMs] = [
      momentAtClock(fromDay, fromTime, localZone()),
      momentAtClock(untilDay, untilTime, localZone()),
    ];
    return {
      fromDay: fromMs === undefined ? t('blocks.reason.required') : undefined,
      untilDay:
        untilMs === undefined
          ? t('blocks.reason.required')
          : untilMs <= Math.max(fromMs ?? 0, serverNowMs())
            ? t('blocks.reason.wrong')
            : undefined,
    };
  };
}

/** Something new is announced. */
export function AnnouncementAddForm({ of, onClose, words }: ActionProps<undefined, typeof add>): ReactNode {
  const { t } = useTranslation();
  const check = useChecked();
  const form = useEndpointForm(of, {
    initialValues: fresh(),
    draft: 'new',
    prepare: sentOf,
    check,
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={t('announcements.addTitle')} opened wide onClose={onClose} submitLabel={words.label}>
      <Fields form={form} />
    </FormDialog>
  );
}

export function AnnouncementEditForm({ row, of, onClose }: ActionProps<AnnouncementRow, typeof edit>): ReactNode {
  const { t } = useTranslation();
  const check = useChecked();
  const form = useEndpointForm(of, {
    initialValues: valuesOf(row),
    draft: row.announcementID,
    prepare: (values) => ({ ...sentOf(values), announcementID: row.announcementID }),
    check,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('announcements.editTitle', { name: row.title })}
      opened
      wide
      onClose={onClose}
      submitLabel={t('announcements.save')}
    >
      <Fields form={form} />
    </FormDialog>
  );
}

function Fields({ form }: { form: EndpointForm<Values, 'announcements'> }): ReactNode {
  const { t } = useTranslation();
  const source = useOrganisationSource();
  const used = form.values.words.map(({ language }) => language);
  return (
    <>
      <RowGroup
        form={form}
        name="words"
        rowName={t('announcements.field.language')}
        addLabel={t('announcements.action.addLanguage')}
        most={languages.length}
        make={() => ({ language: languages.find((each) => !used.includes(each)) ?? FIRST, title: '', text: '' })}
      >
        {(row) => (
          <>
            <SelectField
              form={form}
              name={`${row.path}.language`}
              label={t('announcements.field.language')}
              required
              options={languages.map((value) => ({ value, label: languageNames[value] }))}
            />
            <TextField form={form} name={`${row.path}.title`} label={t('announcements.field.title')} required />
            <TextAreaField
              form={form}
              name={`${row.path}.text`}
              label={t('announcements.field.text')}
              required={false}
              rows={6}
            />
          </>
        )}
      </RowGroup>
      <p>{t('announcements.fallback')}</p>
      <FieldRow>
        <DateField form={form} name="fromDay" label={t('announcements.field.fromMs')} required />
        <TimeField form={form} name="fromTime" label={t('announcements.field.fromTime')} required />
      </FieldRow>
      <FieldRow>
        <DateField form={form} name="untilDay" label={t('announcements.field.untilMs')} required />
        <TimeField form={form} name="untilTime" label={t('announcements.field.untilTime')} required />
      </FieldRow>
      <CheckSetField
        form={form}
        name="levels"
        choices={levels.map((value) => ({ value, label: t(`levels.${value}`) }))}
      />
      <RecordsField form={form} name="organisationIDs" required={false} source={source} />
    </>
  );
}
