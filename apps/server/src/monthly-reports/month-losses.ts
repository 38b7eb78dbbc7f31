import type { DevOpsRow } from '@sonnenwarte/contract/insight/insight';
import { roundMoney, roundParts, sumMoney } from '@sonnenwarte/energy/accounting/money';
import type { ReasonKind } from '@sonnenwarte/energy/insight/reasons';
import type { StoredInsight } from '../insight/insight-rows.store.ts';
import { decimalsOf } from '../sites/currency-decimals.ts';

export interface LostPart {
  readonly kind: ReasonKind | 'unexplained';
  /** Of an alarm. */
  readonly code: number | null;
  readonly wh: number;
  /** null where the month's is. */
  readonly money: string | null;
}

/** What a month lacked of what was possible; its parts add up to it. */
export interface Losses {
  readonly parts: readonly LostPart[];
  readonly wh: number;
  readonly money: string | null;
  readonly currency: string;
  /** Of what was possible, 0-1; null where that is not known. */
  readonly share: number | null;
  /** Of so many days it is known. */
  readonly days: number;
}

const MONEY_DIGITS = 6;

/** What reckoned days of a plant lost by their reasons, the costliest first, to the sum that its row of the list tells; null where it is not known. */
export function lossesOf(days: ReadonlyMap<string, StoredInsight>, row: DevOpsRow | undefined): Losses | null {
  const known = [...days.values()].filter((day) => day.lossWh !== null);
  if (row?.lossWh == null || known.length === 0) return null;
  const sums = new Map<string, { kind: LostPart['kind']; code: number | null; wh: number; money: number }>();
  const put = (kind: LostPart['kind'], code: number | null, wh: number, money: number): void => {
    const name = `${kind} ${code}`;
    const there = sums.get(name);
    sums.set(name, { kind, code, wh: (there?.wh ?? 0) + wh, money: (there?.money ?? 0) + money });
  };
  for (const { lossWh, reasons, money } of known) {
    if (lossWh === null || lossWh <= 0) continue;
    const perWh = Number(money ?? 0) / lossWh;
    let rest = lossWh;
    for (const reason of reasons) {
      if (reason.lossWh === null || reason.lossWh <= 0) continue;
      put(reason.kind, reason.kind === 'alarm' ? reason.evidence.code : null, reason.lossWh, reason.lossWh * perWh);
      rest -= reason.lossWh;
    }
    if (rest > 0) put('unexplained', null, rest, rest * perWh);
  }
  const parts = [...sums.values()].toSorted((a, b) => b.wh - a.wh);
  return { ...priced(parts, row), wh: row.lossWh, currency: row.currency, share: shareOf(row), days: known.length };
}

const shareOf = ({ lossWh, expectedWh }: DevOpsRow): number | null =>
  lossWh === null || expectedWh === null || expectedWh <= 0 ? null : lossWh / expectedWh;

type Unpriced = Omit<LostPart, 'money'> & { readonly money: number };

function priced(parts: readonly Unpriced[], { lossMoney, currency }: DevOpsRow): Pick<Losses, 'parts' | 'money'> {
  if (lossMoney === null) return { parts: parts.map((part) => ({ ...part, money: null })), money: null };
  const decimals = decimalsOf(currency);
  const shown = roundParts(
    parts.map(({ money }) => money.toFixed(MONEY_DIGITS)),
    decimals,
  );
  return {
    parts: parts.map((part, place) => ({ ...part, money: shown[place] ?? '0' })),
    money: parts.length === 0 ? roundMoney(lossMoney, decimals) : roundMoney(sumMoney(shown), decimals),
  };
}
