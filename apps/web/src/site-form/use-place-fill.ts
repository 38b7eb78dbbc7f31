import { type Place, placeAt } from '@sonnenwarte/contract/map/places';
import { useRef, useState } from 'react';
import { call } from '../client/call.ts';
import { type Filled, filling } from './fill-place.ts';
import type { Position } from './mercator.ts';
import type { SiteForm } from './sections.ts';

export interface PlaceFill {
  /** Where the pin stands, in words; nothing while that is not known. */
  readonly name: string | undefined;
  /** The pin was put somewhere. */
  readonly put: (position: Position) => void;
  /** A place was chosen by its name. */
  readonly choose: (place: Place) => void;
  /** What was just filled in could not be looked up. */
  readonly error: unknown;
}

export const placeName = ({ name, region }: Pick<Place, 'name' | 'region'>): string =>
  [name, region].filter((part) => part !== '' && part !== undefined).join(', ');

/** What the pin fills in: coordinates at once, and what is known of the place as soon as it is. */
export function usePlaceFill(form: SiteForm, first: Partial<Filled>): PlaceFill {
  const [name, setName] = useState<string>();
  const [error, setError] = useState<unknown>();
  /** The newest wish: an answer to an earlier one comes too late. */
  const wish = useRef(0);
  const now = useRef(form);
  now.current = form;

  const fill = (found: Partial<Filled>, from: Partial<Filled> = {}) => {
    const { values } = now.current;
    const { change, filled } = filling(found, values, values.filled, from);
    now.current.setValues({ ...change, filled });
  };
  const lookUp = async (position: Position, chosen: boolean) => {
    const mine = ++wish.current;
    setError(undefined);
    try {
      const found = await call(placeAt, { ...position }, { inPlace: true });
      if (mine !== wish.current) return;
      if (!chosen) setName(found.place ? placeName(found.place) : undefined);
      const { country, ianaTimezone, currency } = found;
      fill(
        chosen ? { currency } : { country, ianaTimezone, currency, city: found.place?.name ?? '' },
        chosen ? first : {},
      );
    } catch (failure) {
      if (mine === wish.current) setError(failure);
    }
  };
  const put = (position: Position) => {
    setName(undefined);
    now.current.setValue('position', position);
    void lookUp(position, false);
  };
  const choose = (place: Place) => {
    const { latitude, longitude, country, ianaTimezone } = place;
    setName(placeName(place));
    now.current.setValue('position', { latitude, longitude });
    fill({ country, ianaTimezone, city: place.name }, first);
    void lookUp({ latitude, longitude }, true);
  };
  return { name, put, choose, error };
}
