import type { FleetMoney } from '@sonnenwarte/contract/fleet/fleet';

/** Currencies in one order for all periods, led by the first of which every period has an amount. */
export function inOneOrder(money: readonly FleetMoney[]): readonly FleetMoney[] {
  const lead = money.find(({ today, month }) => today !== null && month !== null);
  return lead === undefined ? money : [lead, ...money.filter((each) => each !== lead)];
}
