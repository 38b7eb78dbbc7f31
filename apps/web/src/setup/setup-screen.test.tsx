import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { type EndpointForm, useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { call } from '../client/call.ts';
import { SetupScreen } from './setup-screen.tsx';

interface Values {
  user: string;
  email: string;
  password: string;
  confirm: string;
}

let form: EndpointForm<Values>;

vi.mock('../client/call.ts', () => ({ call: vi.fn() }));
vi.mock('../login/entry-page.tsx', () => ({ EntryPage: ({ children }: { children: ReactNode }) => children }));
vi.mock('../login/use-set-up-state.ts', () => ({ useSetUpState: () => undefined }));
vi.mock('../blocks/form/endpoint-form.ts', { spy: true });
afterEach(() => vi.unstubAllGlobals());

test('a double click sets up once; after a refusal one can try again', async () => {
  vi.stubGlobal('location', { hash: '#code=first' });
  renderToStaticMarkup(<SetupScreen />);
  form = vi.mocked(useEndpointForm).mock.results[0]?.value;
  form.setValues({ user: 'administrator', email: 'anna@example.com', password: 'Sonne1234', confirm: 'Sonne1234' });
  let refuse: (reason: Error) => void = () => undefined;
  vi.mocked(call).mockImplementation(() => new Promise((_, reject) => (refuse = reject)));
  const first = form.submit();
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(1));
  await form.submit();
  expect(call).toHaveBeenCalledTimes(1);
  refuse(new Error('refused'));
  await first;
  const second = form.submit();
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(2));
  expect(vi.mocked(call).mock.calls[1]?.[1]).toMatchObject({ code: 'first', user: 'administrator' });
  refuse(new Error('refused'));
  await second;
});
