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

/** What stands for a position on which there is nothing. */
export const EMPTY_PLACE = '-';
const emptyPlace = /^[-–—]$/;

/** What stands on the positions of a rack by a typed or pasted text: serial numbers divided by anything, each once, and empty texts. */
export function placesIn(text: string): string[] {
  const places = partsOf(text).map((part) => (emptyPlace.test(part) ? '' : part));
  const once = places.filter((sn, place) => sn === '' || places.indexOf(sn) === place);
  const last = once.findLastIndex((sn) => sn !== '');
  return once.slice(0, last + 1);
}

/** The serial numbers of a text. */
export const serialsIn = (text: string): string[] => placesIn(text).filter((sn) => sn !== '');

/** A text with one more position. */
export const withPlace = (text: string, place: string): string => `${[...partsOf(text), place].join('\n')}\n`;

/** Those that stand in it more than once. */
export const doublesIn = (text: string): string[] => {
  const parts = partsOf(text).filter((part) => !emptyPlace.test(part));
  return [...new Set(parts.filter((part, place) => parts.indexOf(part) < place))];
};
