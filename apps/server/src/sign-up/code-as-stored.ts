/** Codes are read out on the telephone: case, spaces and dashes do not count. */
export const codeAsStored = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toUpperCase();
