import type { Language } from '@sonnenwarte/contract/languages';
import { i18n } from '../language/i18n.ts';
import { type ErrorTable, globalState } from '../state/global-state.ts';
import { textFrom } from './error-table.ts';
import { type Failure, isFailure, StatusError } from './failures.ts';
import { reactionTo } from './reaction.ts';

/**
 * Text of a failure, in a message and in place alike: `{errno}-{text}` for an answer of the API, else what happened.
 * The texts of error numbers are those of `table`; one that is missing is fetched by `fetchErrorText`.
 */
export function failureText(failure: unknown, table: ErrorTable, language: Language): string {
  if (!isFailure(failure)) return i18n.t('common.somethingWentWrong');
  const { message } = reactionTo(failure);
  switch (message?.kind) {
    case 'errno':
      return `${message.errno}-${textFrom(table, message.errno, language) ?? failure.message}`;
    case 'phrase':
      return i18n.t(message.key);
    case 'status':
      return message.text;
    default:
      return failure instanceof StatusError ? `status:${failure.status} ${failure.message}`.trim() : failure.message;
  }
}

/** Its text in the language that is shown. */
export function failureTextNow(failure: Failure): string {
  const { errorMessages, language } = globalState.get();
  return failureText(failure, errorMessages, language);
}
