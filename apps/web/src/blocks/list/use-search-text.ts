import { useEffect, useRef, useState } from 'react';
import { createTypingPause, typedOr } from '../form/typing-pause.ts';
import type { ListInput, ListState } from './list-state.ts';

interface SearchText {
  text: string;
  /** Takes effect when typing pauses. */
  type: (text: string) => void;
  /** What was typed takes effect now. */
  hurry: () => void;
}

/** The text of a search field; `field` of the list's condition holds it once it has taken effect. */
export function useSearchText<Q extends ListInput>(list: ListState<Q>, field: string): SearchText {
  const condition: Record<string, unknown> = { ...list.value.condition };
  const inAddress = String(condition[field] ?? '');
  const [text, setText] = useState(inAddress);
  const [seen, setSeen] = useState(inAddress);
  if (seen !== inAddress) {
    setSeen(inAddress);
    setText(typedOr(text, inAddress));
  }
  const [pause] = useState(createTypingPause);
  useEffect(() => () => void pause.drop(), [pause]);
  // Other filters may change while typing pauses: the text joins them, it does not undo them.
  const newest = useRef(list);
  useEffect(() => {
    newest.current = list;
  }, [list]);
  const { filters } = list;
  useEffect(() => {
    if (filters === 0 && pause.drop()) setText('');
  }, [filters, pause]);

  const type = (next: string) => {
    setText(next);
    pause.wait(() => {
      const { value, set } = newest.current;
      set({ condition: { ...value.condition, [field]: next.trim() } } as Partial<Q>);
    });
  };
  return { text, type, hurry: pause.hurry };
}
