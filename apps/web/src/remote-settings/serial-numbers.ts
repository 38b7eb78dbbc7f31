const LONGEST = 32;

/** Serial numbers in a text that was pasted, however they are parted; each once, in their order. */
export const serialNumbersIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,;|"']+/)
      .map((part) => part.trim())
      .filter((part) => part !== '' && part.length <= LONGEST),
  ),
];
