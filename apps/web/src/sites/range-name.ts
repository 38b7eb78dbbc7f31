import type { Span } from '../blocks/form/time-range.tsx';
import { useFormat } from '../format/use-format.ts';

/** The name of a range of which a day is the first. */
export function useRangeName(): (span: Span, first: string) => string {
  const format = useFormat();
  return (span, first) => {
    if (span === 'day') return format.day(first);
    return span === 'month' ? format.month(first) : first.slice(0, 4);
  };
}
