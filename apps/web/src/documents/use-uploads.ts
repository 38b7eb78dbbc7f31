import { upload as call } from '@sonnenwarte/contract/documents/documents';
import { errno } from '@sonnenwarte/contract/errors';
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES } from '@sonnenwarte/contract/limits';
import { useRef, useState } from 'react';
import { ApiError } from '../client/failures.ts';
import { upload } from '../client/upload.ts';

/** A file that is not uploaded yet, or was not taken. */
export interface PendingFile {
  readonly key: number;
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'failed';
  readonly error?: unknown;
}

export interface Uploads {
  readonly pending: readonly PendingFile[];
  /** Names of those for which there was no room. */
  readonly leftOut: readonly string[];
  readonly add: (files: Iterable<File>, room: number) => void;
  readonly retry: (key: number) => void;
  readonly drop: (key: number) => void;
}

/** Known without asking the server. */
const tooLarge = () => new ApiError(errno.fileTooLarge, '', null);

/** Sends files one after the other; what is wrong with one stays beside it, and the others go on. */
export function useUploads(onTaken: (file: File, documentID: string) => void): Uploads {
  const [pending, setPending] = useState<readonly PendingFile[]>([]);
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);
  const next = useRef(0);
  const line = useRef<Promise<unknown>>(Promise.resolve());
  const dropped = useRef(new Set<number>());
  const taken = useRef(onTaken);
  taken.current = onTaken;

  const change = (key: number, to: Partial<PendingFile>) =>
    setPending((files) => files.map((each) => (each.key === key ? { ...each, ...to } : each)));
  const forget = (key: number) => setPending((files) => files.filter((each) => each.key !== key));

  const send = async ({ key, file }: PendingFile): Promise<void> => {
    if (dropped.current.has(key)) return;
    change(key, { state: 'sending', error: undefined });
    try {
      const { documentID } = await upload(call, {}, file);
      taken.current(file, documentID);
      forget(key);
    } catch (error) {
      change(key, { state: 'failed', error });
    }
  };
  const queue = (file: PendingFile) => {
    line.current = line.current.then(() => send(file));
  };

  return {
    pending,
    leftOut,
    add: (files, room) => {
      const all = [...files];
      const most = Math.max(0, Math.min(room, MAX_UPLOAD_FILES) - pending.length);
      setLeftOut(all.slice(most).map(({ name }) => name));
      const added = all.slice(0, most).map((file): PendingFile => {
        const key = next.current++;
        return file.size > MAX_UPLOAD_BYTES
          ? { key, file, state: 'failed', error: tooLarge() }
          : { key, file, state: 'waiting' };
      });
      setPending((before) => [...before, ...added]);
      for (const each of added) if (each.state === 'waiting') queue(each);
    },
    retry: (key) => {
      const file = pending.find((each) => each.key === key);
      if (file === undefined || file.file.size > MAX_UPLOAD_BYTES) return;
      change(key, { state: 'waiting', error: undefined });
      queue(file);
    },
    drop: (key) => {
      dropped.current.add(key);
      forget(key);
    },
  };
}
