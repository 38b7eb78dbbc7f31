import type { SettingsBook } from '../device-settings/settings-book.ts';
import type { CommandHooks } from '../ingestion/sessions/command-hooks.ts';
import { settingsOf } from '../ingestion/sessions/command-hooks.ts';
import type { Dispatcher } from './dispatcher.ts';
import { Receipts } from './receipts.ts';

/** What devices tell of commands goes to the dispatcher, what they tell of settings to both, with the moment at which it came. */
export function hooksOf(dispatcher: Dispatcher, book: SettingsBook): CommandHooks {
  const receipts = new Receipts();
  return {
    isAwaited: (entry) => dispatcher.isAwaited(entry),
    born: (entry, isBack) => dispatcher.born(entry, isBack),
    told(entry, values, isBirth, bounds) {
      const atMs = receipts.next();
      dispatcher.told(entry, values, isBirth, atMs);
      book.note(entry, settingsOf(values), isBirth, { atMs, bounds });
    },
    answered: (entry, result, values) => dispatcher.answered(entry, result, values, receipts.next()),
    listens: (datalogger) => dispatcher.listens(datalogger),
  };
}
