import { endpoint } from '@sonnenwarte/contract/endpoint';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { call } from '../../client/call.ts';
import { draftKey, forgetDrafts, NO_TAB, readDraft } from './drafts.ts';
import { type EndpointForm, useEndpointForm } from './endpoint-form.ts';

vi.mock('../../client/call.ts', () => ({ call: vi.fn() }));

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

test('what a form needs besides the schema is not sent empty, until the form needs it no more', async () => {
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <Probe />
    </QueryClientProvider>,
  );
  vi.mocked(call).mockReset().mockResolvedValue({});
  form.setValue('name', 'Anna');
  const release = form.need('note');
  await form.submit();
  expect(call).not.toHaveBeenCalled();
  release();
  await form.submit();
  expect(call).toHaveBeenCalledOnce();
});

const savePlant = endpoint({
  method: 'POST',
  path: '/c/v0/plant/save',
  feature: 'sites',
  changes: ['sites'],
  summary: 'Saves a plant.',
  callers: 'public',
  input: z.object({
    name: z.string(),
    strings: z.array(
      z.object({ modules: z.int().check(z.gte(1)), note: z.optional(z.string().check(z.minLength(2))) }),
    ),
  }),
  result: z.object({}),
});

interface Plant {
  name: string;
  strings: { modules: number | ''; note: string }[];
}

/** The form as it is rendered next: a static rendering keeps no state, so that it is read from its draft. */
function plantForm(): EndpointForm<Plant> {
  let plant: EndpointForm<Plant> | undefined;
  function PlantProbe() {
    plant = useEndpointForm(savePlant, {
      initialValues: { name: '', strings: [{ modules: 12, note: '' }] } satisfies Plant as Plant,
    });
    return null;
  }
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <PlantProbe />
    </QueryClientProvider>,
  );
  if (!plant) throw new Error('not rendered');
  return plant;
}

describe('a repeated group', () => {
  const draft = () => readDraft(draftKey(NO_TAB, savePlant.path, ''));

  test('keeps rows that were inserted, moved and filled in as a draft', () => {
    const form = plantForm();
    form.insertRow('strings', 1, { modules: '', note: '' });
    form.setValue('strings.1.modules', 8);
    form.moveRow('strings', 1, 0);
    expect(draft()).toEqual({
      strings: [
        { modules: 8, note: '' },
        { modules: 12, note: '' },
      ],
    });
    const again = plantForm();
    expect(again.values.strings.map(({ modules }) => modules)).toEqual([8, 12]);
    expect(again.restored).toBe(true);
    expect(again.dirty).toBe(true);
  });

  test('has nothing unsaved once an inserted row was taken away again', () => {
    const form = plantForm();
    form.insertRow('strings', 0, { modules: '', note: '' });
    form.removeRow('strings', 0);
    expect(draft()).toEqual({});
    expect(plantForm().dirty).toBe(false);
  });

  test('asks within each row for what the contract asks for', () => {
    const form = plantForm();
    const [row] = form.rowsOf('strings');
    expect(row?.path).toBe('strings.0');
    expect(form.isRequired(`${row?.path ?? 'strings.0'}.modules`)).toBe(true);
    expect(form.isRequired('strings.0.note')).toBe(false);
  });

  test('sends its rows as the contract wants them', async () => {
    vi.mocked(call).mockReset().mockResolvedValue({});
    const form = plantForm();
    form.insertRow('strings', 1, { modules: 5, note: '' });
    await form.submit();
    expect(vi.mocked(call).mock.calls[0]?.[1]).toEqual({ name: '', strings: [{ modules: 12 }, { modules: 5 }] });
  });

  test('is not sent while a row lacks something', async () => {
    vi.mocked(call).mockReset().mockResolvedValue({});
    const form = plantForm();
    form.insertRow('strings', 1, { modules: '', note: '' });
    await form.submit();
    expect(call).not.toHaveBeenCalled();
  });
});
