import { MOST_PRICE_PERIODS } from '@sonnenwarte/contract/sites/day-prices';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import fields from '../blocks/form/fields.module.css';
import { NumberField } from '../blocks/form/number-field.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Button } from '../blocks/show/button.tsx';
import { useFormat } from '../format/use-format.ts';
import { MarketEntry, useMarkets } from './market-entry.tsx';
import { PriceBand } from './price-band.tsx';
import {
  canDivide,
  DAY_MINUTES,
  type DayPriceValues,
  divided,
  type PeriodValues,
  spanOf,
  timeAt,
  typedMinute,
  withoutPeriod,
  withStart,
} from './price-periods.ts';
import type { SiteForm } from './sections.ts';
import styles from './tariff-entry.module.css';

type Days = 'weekday' | 'weekend';

interface TariffEntryProps {
  form: SiteForm;
  of: 'purchase' | 'feedIn';
}

const fieldsOf = {
  purchase: { kind: 'purchaseKind', one: 'purchasePrice', periods: 'purchasePeriods' },
  feedIn: { kind: 'feedInKind', one: 'price', periods: 'feedInPeriods' },
} as const;

/** What energy costs, or earns: one price, or prices by the time of day. */
export function TariffEntry({ form, of }: TariffEntryProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { kind, one } = fieldsOf[of];
  const { values } = form;
  const markets = useMarkets();
  // Offered where a market is read, and kept where one is followed.
  const hasMarket = of === 'purchase' && (markets.length > 0 || values.purchaseKind === 'market');
  const kinds = hasMarket ? (['one', 'byTime', 'market'] as const) : (['one', 'byTime'] as const);
  const sign = format.currencySign(values.currency) || t('site-form.field.currency');
  const unit = `${sign}/kWh`;
  const label = t(`site-form.price.${of}`);
  return (
    <div className={styles.tariff}>
      <div className={styles.head}>
        <span className={styles.name}>{label}</span>
        <Segmented
          label={label}
          value={values[kind]}
          onChange={(next) => form.setValue(kind, next)}
          options={kinds.map((value) => ({ value, label: t(`site-form.price.kind.${value}`) }))}
        />
      </div>
      {values[kind] === 'market' && <MarketEntry form={form} markets={markets} />}
      {values[kind] === 'one' && (
        <div className={styles.one}>
          <NumberField form={form} name={one} unit={unit} />
        </div>
      )}
      {values[kind] === 'byTime' && <DayPricesEntry form={form} of={of} label={label} unit={unit} />}
    </div>
  );
}

interface DayPricesEntryProps extends TariffEntryProps {
  label: string;
  unit: string;
}

function DayPricesEntry({ form, of, label, unit }: DayPricesEntryProps): ReactNode {
  const { t } = useTranslation();
  const { periods: field } = fieldsOf[of];
  const prices: DayPriceValues = form.values[field];
  const [days, setDays] = useState<Days>('weekday');
  const [chosenAt, setChosen] = useState(0);
  const periods = prices[days];
  const wrong = firstWrong(form, field, prices);
  const [wrongDays, wrongAt] = wrong ?? [];
  // What was refused is shown, so that its field can have the focus.
  useEffect(() => {
    if (wrongDays === undefined || wrongAt === undefined) return;
    setDays(wrongDays);
    setChosen(wrongAt);
  }, [wrongDays, wrongAt]);
  const set = (next: readonly PeriodValues[] | null) => form.setValue(`${field}.${days}`, next);
  const daySwitch = (
    <Segmented
      label={t('site-form.price.days')}
      value={days}
      onChange={(next) => {
        setDays(next);
        setChosen(0);
      }}
      options={(['weekday', 'weekend'] as const).map((value) => ({ value, label: t(`site-form.price.day.${value}`) }))}
    />
  );
  if (periods === null) {
    return (
      <>
        {daySwitch}
        <p className={styles.hint}>{t('site-form.price.weekendSame')}</p>
        <div>
          <Button small onClick={() => set(prices.weekday)}>
            <IconPlus size={16} aria-hidden="true" /> {t('site-form.price.weekendOwn')}
          </Button>
        </div>
      </>
    );
  }
  const chosen = Math.min(chosenAt, periods.length - 1);
  const { start, end } = spanOf(periods, chosen);
  return (
    <>
      <div className={styles.head}>
        {daySwitch}
        {days === 'weekend' && (
          <Button small onClick={() => set(null)}>
            {t('site-form.price.weekendLike')}
          </Button>
        )}
      </div>
      <PriceBand
        label={`${label}, ${t(`site-form.price.day.${days}`)}`}
        periods={periods}
        prices={prices}
        currency={form.values.currency}
        chosen={chosen}
        onChoose={setChosen}
        onMove={(at, minute) => set(withStart(periods, at, minute))}
      />
      <div className={styles.fields}>
        <TimeOfDay
          label={t('site-form.price.from')}
          minute={start}
          fixed={chosen === 0}
          onTake={(minute) => set(withStart(periods, chosen, minute))}
        />
        <TimeOfDay
          label={t('site-form.price.to')}
          minute={end}
          fixed={end === DAY_MINUTES}
          onTake={(minute) => set(withStart(periods, chosen + 1, minute))}
        />
        <NumberField
          key={`${days}.${chosen}`}
          form={form}
          name={`${field}.${days}.${chosen}.price`}
          label={t('site-form.price.ofPeriod')}
          unit={unit}
          required
        />
      </div>
      <div className={styles.buttons}>
        <Button
          small
          disabled={periods.length >= MOST_PRICE_PERIODS || !canDivide(periods, chosen)}
          onClick={() => {
            set(divided(periods, chosen));
            setChosen(chosen + 1);
          }}
        >
          <IconPlus size={16} aria-hidden="true" /> {t('site-form.price.divide')}
        </Button>
        <Button
          small
          disabled={periods.length < 2}
          onClick={() => {
            set(withoutPeriod(periods, chosen));
            setChosen(Math.max(0, chosen - 1));
          }}
        >
          <IconTrash size={16} aria-hidden="true" /> {t('site-form.price.removePeriod')}
        </Button>
      </div>
      <p className={styles.hint}>{t('site-form.price.bandHint')}</p>
    </>
  );
}

/** The first period whose price was refused. */
function firstWrong(
  form: SiteForm,
  field: 'purchasePeriods' | 'feedInPeriods',
  prices: DayPriceValues,
): readonly [Days, number] | undefined {
  for (const days of ['weekday', 'weekend'] as const) {
    const at = (prices[days] ?? []).findIndex((_, index) => form.errorOf(`${field}.${days}.${index}.price`));
    if (at >= 0) return [days, at];
  }
  return undefined;
}

interface TimeOfDayProps {
  label: string;
  minute: number;
  /** Midnight, which no period can give way to. */
  fixed: boolean;
  onTake: (minute: number) => void;
}

/** An end of a period; taken over with Enter, or when it is left. */
function TimeOfDay({ label, minute, fixed, onTake }: TimeOfDayProps): ReactNode {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const take = () => {
    const wanted = typed === undefined ? undefined : typedMinute(typed);
    setTyped(undefined);
    if (wanted !== undefined && wanted !== minute) onTake(wanted);
  };
  return (
    <div className={fields.field}>
      <label htmlFor={id} className={fields.label}>
        {label}
      </label>
      <input
        id={id}
        className={fields.input}
        inputMode="numeric"
        autoComplete="off"
        readOnly={fixed}
        value={typed ?? timeAt(minute)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) take();
        }}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </div>
  );
}
