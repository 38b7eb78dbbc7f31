import type { FleetMoney } from '@sonnenwarte/contract/fleet/fleet';
import { expect, test } from 'vitest';
import { inOneOrder } from './money-order.ts';

const of = (currency: string, today: string | null, month: string | null): FleetMoney => ({
  currency,
  plants: 1,
  today,
  month,
  todayQuality: 'measured',
  monthQuality: 'measured',
});

test('today and the month are led by the same currency, also where one of them has no amount of today yet', () => {
  const money = [of('CZK', null, '1024.37'), of('EUR', '3.32', '80.00'), of('PLN', '1.00', '2.00')];
  const ordered = inOneOrder(money);
  const leads = (['today', 'month'] as const).map((period) => ordered.find((each) => each[period] !== null)?.currency);
  expect(leads).toEqual(['EUR', 'EUR']);
  expect(ordered.map(({ currency }) => currency)).toEqual(['EUR', 'CZK', 'PLN']);
  expect(inOneOrder([of('CZK', null, '1')])).toHaveLength(1);
});
