/** Letters of the longest word of a text; it may be parted at hyphens. */
export const longestWord = (text = ''): number => Math.max(...text.split(/[\s\u00ad-]/).map(({ length }) => length));
