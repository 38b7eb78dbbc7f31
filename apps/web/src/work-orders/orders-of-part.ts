import type { ComponentType } from 'react';
import { lazyPart } from '../with-texts.ts';
import type { OrdersOfProps } from './orders-of.tsx';

/** The work orders about an alarm with their texts, for its page. */
export const OrdersOf: ComponentType<OrdersOfProps> = lazyPart(
  'orders-of',
  async () => (await import('./orders-of.tsx')).OrdersOf,
);
