import { expect, test } from 'vitest';
import { phraseLanguages } from './languages.ts';
import { typographic } from './typography.ts';

test('quotation marks become those of the language', () => {
  const quoted = phraseLanguages.map((language) => typographic('a "b" c', language).slice(2, -2));
  expect(quoted).toEqual(['„b“', '“b”', '„b“', '«b»', '«\u00a0b\u00a0»', '«b»', '„b”', '«b»', '„b”', '“b”', '“b”']);
});

test('apostrophe and ellipsis are characters of their own', () => {
  expect(typographic("l'onduleur ...", 'fr')).toBe('l’onduleur\u00a0…');
  expect(typographic('Cargando...', 'es')).toBe('Cargando…');
});

test('a number keeps its unit on its line', () => {
  expect(typographic('unter 0 °C, ab 5 kW und 20 %', 'de')).toBe('unter 0\u00a0°C, ab 5\u00a0kW und 20\u00a0%');
  expect(typographic('{{value}} kWp', 'en')).toBe('{{value}}\u00a0kWp');
  expect(typographic('4 Anlagen, 3 Werte', 'de')).toBe('4 Anlagen, 3 Werte');
});

test('French sets no-break spaces around double punctuation', () => {
  expect(typographic('Abandonner ? Masqué : « x »', 'fr')).toBe('Abandonner\u00a0? Masqué\u00a0: «\u00a0x\u00a0»');
  expect(typographic('{{label}} : copié', 'fr')).toBe('{{label}}\u00a0: copié');
});

test('Romanian has letters with a comma below, Chinese full-width punctuation after its characters', () => {
  expect(typographic('Instalaţie şi reţea', 'ro')).toBe('Instalație și rețea');
  expect(typographic('加载失败,请重试:8080', 'zh_CN')).toBe('加载失败，请重试：8080');
});

test.each(phraseLanguages)('what is set in %s once stays as it is', (language) => {
  const once = typographic('a "b" l\'x ... 5 kW - c ? d', language);
  expect(typographic(once, language)).toBe(once);
});
