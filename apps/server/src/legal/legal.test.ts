import { legalEndpoints } from '@sonnenwarte/contract/legal/legal';
import { expect, test } from 'vitest';
import { startTestPortal } from '../testing/portal.ts';

test('the operator is who the configuration names, and nobody without it', async () => {
  const named = await startTestPortal({ OPERATOR_NAME: 'Sonnenhof eG', OPERATOR_CONTACT: 'info@sonnenhof.example' });
  try {
    const { result } = await named.call(legalEndpoints.operator, {});
    expect(result).toEqual({ name: 'Sonnenhof eG', contact: 'info@sonnenhof.example' });
  } finally {
    await named.stop();
  }
  const unnamed = await startTestPortal({ DEMO: 'off' });
  try {
    expect((await unnamed.call(legalEndpoints.operator, {})).result).toEqual({ name: '', contact: '' });
  } finally {
    await unnamed.stop();
  }
});
