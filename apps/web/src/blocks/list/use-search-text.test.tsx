import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pageNode } from '../../testing/page-node.ts';
import type { ListInput, ListState } from './list-state.ts';
import { useSearchText } from './use-search-text.ts';

interface Input extends ListInput {
  condition: { kind?: string; content?: string };
}

const document = pageNode('#document', 9);
vi.stubGlobal('document', document);
vi.stubGlobal('window', { document, addEventListener: () => undefined, HTMLIFrameElement: class {} });
const { createRoot } = await import('react-dom/client');
const { useState } = await import('react');

let search: ReturnType<typeof useSearchText>;
let list: ListState<Input>;

/** A list whose `set`, like that of a screen, knows only what was there when it was drawn. */
function Probe() {
  const [value, setValue] = useState<Input>({ pageSize: 10, currentPage: 1, condition: { kind: 'a' } });
  list = {
    value,
    set: (change) => setValue({ ...value, ...change }),
    reset: () => setValue({ ...value, condition: {} }),
    filters: Object.values(value.condition).filter(Boolean).length,
  };
  search = useSearchText(list, 'content');
  return null;
}

/** React has drawn what was set, and what follows from that. */
async function drawn(): Promise<void> {
  for (let step = 0; step < 5; step += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function typingPauses(): Promise<void> {
  vi.advanceTimersByTime(300);
  await drawn();
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  createRoot(pageNode('BODY', 1) as unknown as Element).render(<Probe />);
  await drawn();
});
afterEach(() => void vi.useRealTimers());

test('the space of a word that is still being typed stays', async () => {
  search.type('solar ');
  await drawn();
  await typingPauses();
  expect([search.text, list.value.condition]).toEqual(['solar ', { kind: 'a', content: 'solar' }]);
});

test('a filter that is chosen while typing pauses stays, and so does the text', async () => {
  search.type('solar');
  await drawn();
  list.set({ condition: { kind: 'b' } });
  await drawn();
  await typingPauses();
  expect([search.text, list.value.condition]).toEqual(['solar', { kind: 'b', content: 'solar' }]);
});

test('filters that are cleared while typing pauses stay cleared', async () => {
  search.type('solar');
  await drawn();
  list.reset();
  await drawn();
  await typingPauses();
  expect([search.text, list.value.condition]).toEqual(['', {}]);
});

test('what was typed takes effect at once when the field is left', async () => {
  search.type('solar');
  await drawn();
  expect(list.value.condition).toEqual({ kind: 'a' });
  search.hurry();
  await drawn();
  expect(list.value.condition).toEqual({ kind: 'a', content: 'solar' });
});
