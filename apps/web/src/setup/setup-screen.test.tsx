import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { call } from '../client/call.ts';
import { SetupScreen } from './setup-screen.tsx';

const values = { user: 'administrator', email: 'anna@example.com', password: 'Sonne1234', confirm: 'Sonne1234' };
let send: (typed: typeof values) => Promise<void>;

vi.mock('../client/call.ts', () => ({ call: vi.fn() }));
vi.mock('../login/entry-page.tsx', () => ({ EntryPage: ({ children }: { children: ReactNode }) => children }));
vi.mock('../login/use-set-up-state.ts', () => ({ useSetUpState: () => undefined }));
vi.mock('@mantine/form', () => ({
  useForm: () => ({
    values,
    errors: {},
    onSubmit: (onValid: typeof send) => {
      send = onValid;
    },
  }),
}));
afterEach(() => vi.unstubAllGlobals());

test('a double click sets up once; after a refusal one can try again', async () => {
  vi.stubGlobal('location', { hash: '#code=first' });
  renderToStaticMarkup(<SetupScreen />);
  let refuse: (reason: Error) => void = () => undefined;
  vi.mocked(call).mockImplementation(() => new Promise((_, reject) => (refuse = reject)));
  const first = send(values);
  void send(values);
  expect(call).toHaveBeenCalledTimes(1);
  refuse(new Error('refused'));
  await first;
  void send(values);
  expect(call).toHaveBeenCalledTimes(2);
});
