import { type Place, places } from '@sonnenwarte/contract/map/places';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import fields from '../blocks/form/fields.module.css';
import { createTypingPause } from '../blocks/form/typing-pause.ts';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './place-search.module.css';
import { placeName } from './use-place-fill.ts';

const SHORTEST = 2;

/** Finds a place by its name, among those that the portal brings along. */
export function PlaceSearch({ onChoose }: { onChoose: (place: Place) => void }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const [text, setText] = useState('');
  const [wanted, setWanted] = useState('');
  const [opened, setOpened] = useState(false);
  const [marked, setMarked] = useState(0);
  const [pause] = useState(createTypingPause);
  useEffect(() => () => void pause.drop(), [pause]);
  const asks = opened && wanted.length >= SHORTEST;
  const found = useQuery({ ...read(places, { search: wanted }), enabled: asks });
  const list = asks ? (found.data?.places ?? []) : [];
  const shown = asks && found.data !== undefined;
  const at = Math.min(marked, list.length - 1);

  const choose = (place: Place | undefined) => {
    if (!place) return;
    pause.drop();
    setText(placeName(place));
    setOpened(false);
    onChoose(place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey) return;
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => setMarked(Math.min(at + 1, list.length - 1)),
      ArrowUp: () => setMarked(Math.max(at - 1, 0)),
      Enter: () => choose(list[at]),
      Escape: () => setOpened(false),
    };
    const step = steps[event.key];
    if (!step || (event.key === 'Escape' && !opened)) return;
    event.preventDefault();
    step();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only notices that its field is left
    <div
      className={styles.search}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setOpened(false)}
    >
      <label htmlFor={id} className={fields.label}>
        {t('site-form.place.search')}
      </label>
      <span className={styles.box}>
        <IconSearch size={16} aria-hidden="true" />
        <input
          id={id}
          className={fields.input}
          role="combobox"
          aria-expanded={shown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={shown && list.length > 0 ? `${id}-${at}` : undefined}
          autoComplete="off"
          placeholder={t('site-form.place.searchPlaceholder')}
          value={text}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            const typed = event.currentTarget.value;
            setText(typed);
            setOpened(true);
            setMarked(0);
            pause.wait(() => setWanted(typed.trim()));
          }}
        />
      </span>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={t('site-form.place.found')}
        className={styles.list}
        hidden={list.length === 0}
      >
        {list.map((place, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
          <div
            key={`${place.latitude} ${place.longitude} ${place.name}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={styles.option}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(place)}
          >
            <span>{placeName(place)}</span>
            <span className={styles.country}>{format.country(place.country)}</span>
          </div>
        ))}
      </div>
      {opened && found.error && <ErrorNotice error={found.error} retry={() => void found.refetch()} />}
      {shown && list.length === 0 && (
        <p className={fields.hint} role="status">
          {t('site-form.place.notFound')}
        </p>
      )}
    </div>
  );
}
