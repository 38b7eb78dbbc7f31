import type { unread } from '@sonnenwarte/contract/messages/messages';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useChanges } from '../live/use-live.ts';

const feature: (typeof unread)['feature'] = 'messages';
const NOTHING = '0';

/** Reads all that is shown of messages again when the stream tells that the caller has others. */
export function useMessageNews(): void {
  const cache = useQueryClient();
  const changes = useChanges(['messages']);
  const heard = useRef(NOTHING);
  useEffect(() => {
    const before = heard.current;
    heard.current = changes;
    // The first word of a stream is how it is, and that has just been read.
    if (before !== NOTHING && before !== changes) void cache.invalidateQueries({ queryKey: [feature] });
  }, [cache, changes]);
}
