import type { SettingsBook } from '../device-settings/settings-book.ts';
import type { CommandHooks } from '../ingestion/sessions/command-hooks.ts';
import { settingsOf } from '../ingestion/sessions/command-hooks.ts';
import type { Dispatcher } from './dispatcher.ts';

/** What devices tell of commands goes to the dispatcher, what they tell of settings to both. */
export const hooksOf = (dispatcher: Dispatcher, book: SettingsBook): CommandHooks => ({
  isAwaited: (entry) => dispatcher.isAwaited(entry),
  born: (entry, isBack) => dispatcher.born(entry, isBack),
  told(entry, values, isBirth, bounds) {
    dispatcher.told(entry, values, isBirth);
    book.note(entry, settingsOf(values), isBirth, bounds);
  },
  answered: (entry, result, values) => dispatcher.answered(entry, result, values),
  listens: (datalogger) => dispatcher.listens(datalogger),
});
