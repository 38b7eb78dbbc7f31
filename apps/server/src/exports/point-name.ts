import type { Language } from '@sonnenwarte/contract/languages';
import { type Point, pointLabelKey } from '@sonnenwarte/device-protocol/points/points';
import { knownPhrase } from './phrase-text.ts';

/** Units of the catalogue that are none to a reader, and how others are written. */
const units: Readonly<Record<string, string>> = { '1': '', degC: '°C', kOhm: 'kΩ', 'W/m2': 'W/m²', rpm: '1/min' };

/** Name of a point in a language, else as the protocol has it. */
export function pointName({ name }: Pick<Point, 'name'>, language: Language): string {
  const label = pointLabelKey(name);
  const text = label === undefined ? undefined : knownPhrase(label.key, language);
  return text?.replace('{{n}}', String(label?.n ?? '')) ?? name;
}

/** A unit of the catalogue as people write it; empty where it is none to them. */
export const unitText = (unit: string): string => units[unit] ?? unit;
