const SERIAL = /^[0-9A-Z][0-9A-Z._-]{3,31}$/;

/** The serial number that the code of a label names: by itself, in an address, or behind its name. */
export function serialInCode(code: string): string | undefined {
  const text = code.trim();
  const named = /(?:^|[?&;,\s])(?:sn|s\/n|serial)\s*[:=]\s*([^&#;,\s]+)/i.exec(text)?.[1];
  const sn = (named ?? text).toUpperCase();
  return SERIAL.test(sn) ? sn : undefined;
}

const partsOf = (text: string): string[] =>
  text
    .split(/[\s,;|"]+/)
    .map((part) => part.trim().toUpperCase())
    .filter((part) => part !== '');

/** Serial numbers of a typed or pasted text, divided by anything, each once. */
export const serialsIn = (text: string): string[] => [...new Set(partsOf(text))];

/** Those that stand in it more than once. */
export const doublesIn = (text: string): string[] => {
  const parts = partsOf(text);
  return [...new Set(parts.filter((part, place) => parts.indexOf(part) < place))];
};
