import { lazyPart } from '../with-texts.ts';

/** The open work orders with their texts, for the home screen: neither its first page nor its texts grow by them. */
export const OpenOrders = lazyPart('open-orders', async () => (await import('./open-orders.tsx')).OpenOrders);
