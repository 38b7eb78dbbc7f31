import type { Result } from '@sonnenwarte/contract/endpoint';
import { dueHours, orderCategories } from '@sonnenwarte/contract/work-orders/due-times';
import { orderProducts } from '@sonnenwarte/contract/work-orders/work-order';
import { create, devices, plants, questionTypes, subject } from '@sonnenwarte/contract/work-orders/work-orders';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Can } from '../blocks/actions/can.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField, TextAreaField, TextField } from '../blocks/form/fields.tsx';
import { FieldGroup, FieldRow, Form } from '../blocks/form/form.tsx';
import { RecordField } from '../blocks/form/record-field.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { TitledScreen } from '../blocks/show/titled-screen.tsx';
import type { Permitted } from '../client/permit.ts';
import { read } from '../client/queries.ts';
import { useAlarmText } from '../format/alarm-text.ts';
import { localZone } from '../format/local-zone.ts';
import { useMoments } from '../format/moments.ts';
import { showNotice } from '../notices/notices.ts';
import { useTab } from '../tabs/tab-context.ts';
import { replaceTab } from '../tabs/workspace.ts';
import { HeldValues } from './held-values.tsx';
import styles from './order.module.css';
import { PictureButtons, PictureStrip } from './picture-input.tsx';
import { useSentPictures } from './use-sent-pictures.ts';

type Subject = Result<typeof subject>;

const HOUR_MS = 3_600_000;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const idIn = (text: string | undefined): string | undefined =>
  text !== undefined && uuid.test(text) ? text : undefined;

/** What is asked about: as the address names it, an alarm, a device or a plant, or as it is chosen. */
interface About {
  stationID?: string | undefined;
  deviceID?: string | undefined;
  incidentID?: string | undefined;
}

/** A new work order, filled in with what the address names. */
export function OrderAddScreen(): ReactNode {
  const { query } = useTab();
  const [about, setAbout] = useState<About>({
    stationID: idIn(query.plant),
    deviceID: idIn(query.device),
    incidentID: idIn(query.alarm),
  });
  const { data, error, refetch } = useQuery({ ...read(subject, about), placeholderData: keepPreviousData });
  return (
    <TitledScreen>
      {error && <ErrorNotice error={error} retry={() => void refetch()} keepsShown={data !== undefined} />}
      {data && (
        <Can of={create}>
          {(of) => (
            <OrderForm
              of={of}
              draft={query.alarm ?? query.device ?? query.plant ?? 'new'}
              about={data}
              onAbout={setAbout}
            />
          )}
        </Can>
      )}
    </TitledScreen>
  );
}

interface OrderFormProps {
  of: Permitted<typeof create>;
  /** Under which name what was typed is kept. */
  draft: string;
  about: Subject;
  onAbout: (about: About) => void;
}

function OrderForm({ of, draft, about, onAbout }: OrderFormProps): ReactNode {
  const { t } = useTranslation();
  const alarmText = useAlarmText();
  const { incidentID, alarmCode, stationID, deviceID } = about;
  const alarm = alarmCode === null ? '' : alarmText(alarmCode).name;
  const types = useQuery(read(questionTypes, {}));
  const form = useEndpointForm(of, {
    initialValues: {
      stationID,
      deviceID,
      incidentID,
      title: alarm,
      category: about.category ?? '',
      product: about.product ?? '',
      text: '',
      contact: about.contact,
      pictureIDs: [] as string[],
    },
    draft,
    onDone: ({ orderID, number }) => {
      showNotice({ id: `work order ${number}`, text: t('work-orders.add.sent', { number }), color: 'brand' });
      replaceTab('work-order-detail', { id: orderID });
    },
  });
  const pictures = useSentPictures(form.values.pictureIDs, (ids) => form.setValue('pictureIDs', ids));
  const choose = (next: About) => onAbout({ incidentID: incidentID || undefined, ...next });
  const nameOf = <K extends string>(
    list: readonly { name: string }[] | undefined,
    key: K,
    value: string,
  ): string | undefined => list?.find((each) => (each as unknown as Record<K, string>)[key] === value)?.name;
  return (
    <div className={styles.body}>
      <div className={styles.main}>
        <Panel>
          <Form form={form} submitLabel={t('work-orders.add.send')}>
            <FieldGroup title={t('work-orders.add.about')}>
              {alarmCode !== null && (
                <p className={styles.alarm}>{t('work-orders.add.alarm', { code: String(alarmCode), name: alarm })}</p>
              )}
              <FieldRow>
                <RecordField
                  form={form}
                  name="stationID"
                  required={false}
                  disabled={alarmCode !== null}
                  source={{
                    endpoint: plants,
                    search: t('work-orders.add.searchPlant'),
                    none: t('work-orders.add.noneFound'),
                  }}
                  onChosen={(chosen) => {
                    form.setValues({ deviceID: '', product: form.values.product || (chosen ? 'plant' : '') });
                    choose({ stationID: chosen?.id });
                  }}
                />
                {form.values.stationID !== '' && (
                  <RecordField
                    key={form.values.stationID}
                    form={form}
                    name="deviceID"
                    required={false}
                    disabled={alarmCode !== null}
                    source={{
                      endpoint: devices,
                      input: { stationID: form.values.stationID },
                      search: t('work-orders.add.searchDevice'),
                      none: t('work-orders.add.noneFound'),
                    }}
                    onChosen={(chosen) => choose({ stationID: form.values.stationID, deviceID: chosen?.id })}
                  />
                )}
              </FieldRow>
              <FieldRow>
                <SelectField
                  form={form}
                  name="category"
                  options={orderCategories.map((value) => ({
                    value,
                    label: nameOf(types.data?.types, 'category', value) ?? t(`work-orders.category.${value}`),
                  }))}
                />
                <SelectField
                  form={form}
                  name="product"
                  options={orderProducts.map((value) => ({
                    value,
                    label: nameOf(types.data?.products, 'product', value) ?? t(`work-orders.product.${value}`),
                  }))}
                />
              </FieldRow>
            </FieldGroup>
            <FieldGroup title={t('work-orders.add.question')}>
              <TextField form={form} name="title" description={t('work-orders.add.titleHint')} />
              <TextAreaField form={form} name="text" description={t('work-orders.add.textHint')} rows={6} />
              <div className={styles.addPictures}>
                <span>{t('work-orders.add.pictures')}</span>
                <PictureButtons pictures={pictures} />
                <small>{t('work-orders.composer.attachHint')}</small>
                <PictureStrip pictures={pictures} />
              </div>
              <TextField form={form} name="contact" description={t('work-orders.add.contactHint')} />
            </FieldGroup>
          </Form>
        </Panel>
      </div>
      <div className={styles.side}>
        <Within category={form.values.category} isUrgent={about.isUrgent} />
        {about.values.length > 0 && (
          <Panel title={t('work-orders.add.held')}>
            <HeldValues values={about.values} timeZone={about.ianaTimezone || localZone()} />
          </Panel>
        )}
        <Panel title={t('work-orders.field.asker')}>
          <p>{t('work-orders.add.asker', { name: about.asker })}</p>
          <p className={styles.quiet}>{about.askerOrganisation}</p>
        </Panel>
      </div>
    </div>
  );
}

/** Until when one hears of it. */
function Within({ category, isUrgent }: { category: string; isUrgent: boolean }): ReactNode {
  const { t } = useTranslation();
  const { duration } = useMoments();
  const known = orderCategories.find((each) => each === category);
  if (known === undefined) return null;
  const { answer, solution } = dueHours[known][isUrgent ? 'urgent' : 'normal'];
  return (
    <Panel title={t('work-orders.due.title')}>
      <p>{t('work-orders.add.due', { answer: duration(answer * HOUR_MS), solution: duration(solution * HOUR_MS) })}</p>
    </Panel>
  );
}
