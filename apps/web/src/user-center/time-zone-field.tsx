import { IconCheck, IconChevronDown, IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { browserTimeZone } from '../account/use-account.ts';
import { Dropdown } from '../blocks/form/dropdown.tsx';
import parts from '../blocks/show/section.module.css';
import { useFormat } from '../format/use-format.ts';
import styles from './time-zone-field.module.css';
import { matchingZones, offsetText, shownZone } from './time-zones.ts';

interface TimeZoneFieldProps {
  id: string;
  /** IANA name; `null` is that of the browser. */
  value: string | null;
  onChange: (zone: string | null) => void;
}

/** A time zone, searched for by city, region or difference. */
export function TimeZoneField({ id, value, onChange }: TimeZoneFieldProps) {
  const { t } = useTranslation();
  const auto = t('user-center.preferences.timeZoneAuto', { zone: shownZone(browserTimeZone()) });
  return (
    <Dropdown
      className={styles.zoneButton ?? ''}
      control={{ id }}
      button={
        <>
          <span>{value === null ? auto : shownZone(value)}</span>
          <IconChevronDown size={16} aria-hidden="true" />
        </>
      }
    >
      {(hide) => (
        <ZoneList
          value={value}
          auto={auto}
          onChoose={(zone) => {
            hide();
            if (zone !== value) onChange(zone);
          }}
        />
      )}
    </Dropdown>
  );
}

const MOST_SHOWN = 60;

interface ZoneListProps {
  value: string | null;
  auto: string;
  onChoose: (zone: string | null) => void;
}

function ZoneList({ value, auto, onChoose }: ZoneListProps) {
  const { t } = useTranslation();
  const { locale } = useFormat();
  const [text, setText] = useState('');
  const zones = useMemo(() => matchingZones(text, MOST_SHOWN, value), [text, value]);
  const entry = (zone: string | null, name: string) => (
    <li key={zone ?? ''}>
      <button type="button" className={styles.zone} aria-pressed={zone === value} onClick={() => onChoose(zone)}>
        <span>{name}</span>
        <span className={styles.offset}>{offsetText(zone ?? browserTimeZone(), Date.now(), locale)}</span>
        {zone === value && <IconCheck size={16} aria-hidden="true" />}
      </button>
    </li>
  );
  return (
    <div className={styles.zones}>
      <span className={styles.zoneSearch}>
        <IconSearch size={16} aria-hidden="true" />
        <input
          type="search"
          value={text}
          aria-label={t('user-center.preferences.timeZoneSearch')}
          placeholder={t('user-center.preferences.timeZoneSearch')}
          autoComplete="off"
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </span>
      <ul className={styles.zoneList}>
        {text.trim() === '' && entry(null, auto)}
        {zones.map((zone) => entry(zone, shownZone(zone)))}
      </ul>
      {zones.length === 0 && <p className={parts.muted}>{t('user-center.preferences.timeZoneNone')}</p>}
    </div>
  );
}
