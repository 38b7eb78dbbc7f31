import { removePicture, uploadPicture } from '@sonnenwarte/contract/work-orders/pictures';
import { MOST_PICTURES_OF_ENTRY, pictureTypes } from '@sonnenwarte/contract/work-orders/work-order';
import { useRef, useState } from 'react';
import { write } from '../client/queries.ts';
import { upload } from '../client/upload.ts';
import { shrunkPicture } from './shrunk-picture.ts';

export const ACCEPTED = pictureTypes.join(',');

export interface SentPictures {
  readonly ids: readonly string[];
  /** How many are on their way. */
  readonly sending: number;
  readonly error: unknown;
  /** Some were left out, since there is no room for more. */
  readonly isFull: boolean;
  readonly add: (files: Iterable<File>) => void;
  readonly remove: (id: string) => void;
}

/** Pictures that go along with what is being written: each is sent at once, one after the other. */
export function useSentPictures(ids: readonly string[], onChange: (ids: readonly string[]) => void): SentPictures {
  const [sending, setSending] = useState(0);
  const [error, setError] = useState<unknown>();
  const [isFull, setFull] = useState(false);
  const latest = useRef(ids);
  latest.current = ids;
  const line = useRef<Promise<unknown>>(Promise.resolve());
  const underWay = useRef(0);

  const change = (next: readonly string[]) => {
    latest.current = next;
    onChange(next);
  };

  const send = async (file: File): Promise<void> => {
    try {
      const { pictureID } = await upload(uploadPicture, {}, await shrunkPicture(file));
      change([...latest.current, pictureID]);
    } catch (failure) {
      setError(failure);
    } finally {
      underWay.current -= 1;
      setSending(underWay.current);
    }
  };

  return {
    ids,
    sending,
    error,
    isFull,
    add: (files) => {
      const pictures = [...files].filter(({ type }) => pictureTypes.some((taken) => taken === type) || type === '');
      const room = MOST_PICTURES_OF_ENTRY - latest.current.length - underWay.current;
      setError(undefined);
      setFull(pictures.length > room);
      for (const file of pictures.slice(0, Math.max(0, room))) {
        underWay.current += 1;
        line.current = line.current.then(() => send(file));
      }
      setSending(underWay.current);
    },
    remove: (id) => {
      change(latest.current.filter((each) => each !== id));
      setFull(false);
      // Where this fails it is forgotten after a day.
      write(removePicture, { id }, { quiet: true }).catch(() => undefined);
    },
  };
}
