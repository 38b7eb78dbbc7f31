/** Signs with which a language parts whole numbers from decimals, and thousands. */
function signsOf(locale: string): { decimal: string; group: string } {
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(12_345.6);
  const sign = (type: Intl.NumberFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  return { decimal: sign('decimal'), group: sign('group') };
}

const GROUPED = /^[+-]?\d{1,3}(?: \d{3})+(?:#\d+)?$/;
const PLAIN = /^[+-]?(?:\d+#?\d*|#\d+)$/;
const SPACES = /[\u00a0\u202f]/g;

/**
 * A number as a person types it: with the language's decimal sign, with or without its thousands; point and comma both
 * part decimals, but for what the language would read as thousands. What can be read in two ways, or in none, stays
 * text and is refused as such: nothing is guessed.
 */
export function numberOf(text: string, locale: string): number | string {
  const trimmed = text.trim().replaceAll('\u2212', '-');
  const { decimal, group } = signsOf(locale);
  const groupSign = group.replaceAll(SPACES, ' ');
  const spaced = trimmed.replaceAll(SPACES, ' ');
  const signed = (parted: string) => Number(parted.replaceAll(' ', '').replace('#', '.'));
  const own = (groupSign === '' ? spaced : spaced.replaceAll(groupSign, ' ')).replaceAll(decimal, '#');
  if (GROUPED.test(own)) return signed(own);
  const either = spaced.replaceAll(/[.,]/g, '#');
  return PLAIN.test(either) ? signed(either) : trimmed;
}
