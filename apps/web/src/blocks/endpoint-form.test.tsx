import { endpoint } from '@sonnenwarte/contract/endpoint';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { call } from '../client/call.ts';
import { draftKey, forgetDrafts, NO_TAB, readDraft } from './drafts.ts';
import { type EndpointForm, useEndpointForm } from './endpoint-form.ts';

vi.mock('../client/call.ts', () => ({ call: vi.fn() }));

const save = endpoint({
  method: 'POST',
  path: '/c/v0/note/save',
  feature: 'sites',
  changes: ['sites'],
  summary: 'Saves a note.',
  callers: 'public',
  input: z.object({ name: z.string(), note: z.string() }),
  result: z.object({}),
});

interface Note {
  name: string;
  note: string;
}

let form: EndpointForm<Note>;
function Probe() {
  form = useEndpointForm(save, { initialValues: { name: '', note: '' } satisfies Note });
  return null;
}

afterEach(forgetDrafts);

test('what is typed while a save runs is kept, what was saved is not', async () => {
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <Probe />
    </QueryClientProvider>,
  );
  let answer: (result: object) => void = () => undefined;
  vi.mocked(call).mockImplementation(() => new Promise((resolve) => (answer = resolve)));
  form.setValue('name', 'Anna');
  const saved = form.submit();
  form.setValue('note', 'calls on Monday');
  await vi.waitFor(() => expect(call).toHaveBeenCalled());
  answer({});
  await saved;
  expect(vi.mocked(call).mock.calls[0]?.[1]).toEqual({ name: 'Anna', note: '' });
  expect(readDraft(draftKey(NO_TAB, save.path, ''))).toEqual({ note: 'calls on Monday' });
});
