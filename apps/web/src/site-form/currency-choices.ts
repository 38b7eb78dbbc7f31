/** Currencies by their codes of ISO 4217, each once, named in a language and in its order. */
export function currencyChoices(codes: readonly string[], locale: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'currency', fallback: 'none' });
  const nameOf = (code: string): string | undefined => (/^[A-Z]{3}$/.test(code) ? names.of(code) : undefined);
  return [...new Set(codes)]
    .filter((code) => code !== '')
    .map((value) => {
      const name = nameOf(value);
      return { value, label: name === undefined ? value : `${name} (${value})` };
    })
    .sort((a, b) => a.label.localeCompare(b.label, locale));
}
