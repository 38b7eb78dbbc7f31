import { FALLBACK_LANGUAGE, type Language } from '@sonnenwarte/contract/languages';
import { errorTexts } from '../language/texts.ts';
import { type ErrorTable, globalState } from '../state/global-state.ts';

/** A failure is said without the server's table where that takes longer. */
const LONGEST_WAIT_MS = 1_500;

let readTable = async (): Promise<ErrorTable> => ({});
let tableRead: Promise<void> | undefined;

/** Connects the server's table of error texts; it is read once, when it is first needed or nothing else is to do. */
export function connectErrorTable(read: () => Promise<ErrorTable>): void {
  readTable = read;
  tableRead = undefined;
}

/** Reads the server's table, whose texts go before the built-in ones. */
export function readErrorTable(): Promise<void> {
  tableRead ??= readTable().then(
    (errorMessages) => globalState.set({ errorMessages }),
    () => undefined,
  );
  return tableRead;
}

export function textFrom(table: ErrorTable, errno: number, language: Language): string | undefined {
  return table[language]?.[errno] ?? table[FALLBACK_LANGUAGE]?.[errno];
}

const isMissing = (errno: number, language: Language): boolean =>
  textFrom(globalState.get().errorMessages, errno, language) === undefined;

/** Sees to it that there is a text: that of the server's table, else the built-in one. */
export async function fetchErrorText(errno: number, language: Language): Promise<void> {
  if (!isMissing(errno, language)) return;
  await Promise.race([readErrorTable(), new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))]);
  if (!isMissing(errno, language)) return;
  try {
    const [own, fallback] = await Promise.all([errorTexts(language), errorTexts(FALLBACK_LANGUAGE)]);
    globalState.set(({ errorMessages: table }) => ({
      errorMessages: {
        ...table,
        [FALLBACK_LANGUAGE]: { ...fallback, ...table[FALLBACK_LANGUAGE] },
        [language]: { ...own, ...table[language] },
      },
    }));
  } catch {
    // Without a network there is what the answer itself said.
  }
}
