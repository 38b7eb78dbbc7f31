import { ownReasons, refusedFields } from '@sonnenwarte/contract/envelope';
import { errno } from '@sonnenwarte/contract/errors';
import { filledError } from '@sonnenwarte/contract/errors/filled';
import type { Language } from '@sonnenwarte/contract/languages';
import * as z from 'zod/mini';
import { i18n } from '../language/i18n.ts';
import { type ErrorTable, globalState } from '../state/global-state.ts';
import { textFrom } from './error-table.ts';
import { ApiError, type Failure, isFailure, StatusError } from './failures.ts';
import { reactionTo } from './reaction.ts';

/** Of fields that were refused, the first rule that has words of its own. */
function reasonIn(failure: Failure): (typeof ownReasons)[number] | undefined {
  if (!(failure instanceof ApiError) || failure.errno !== errno.refusedInput) return undefined;
  const fields = z.safeParse(refusedFields, failure.result).data?.fields ?? [];
  return ownReasons.find((own) => fields.some(({ reason }) => reason === own));
}

/**
 * Text of a failure, in a message and in place alike: `{errno}-{text}` for an answer of the API, else what happened.
 * The texts of error numbers are those of `table`; one that is missing is fetched by `fetchErrorText`.
 */
export function failureText(failure: unknown, table: ErrorTable, language: Language): string {
  if (!isFailure(failure)) return i18n.t('common.somethingWentWrong');
  const { message } = reactionTo(failure);
  switch (message?.kind) {
    case 'errno': {
      const known = textFrom(table, message.errno, language) ?? failure.message;
      const result = failure instanceof ApiError ? failure.result : null;
      const text = `${message.errno}-${filledError(known, result, language)}`;
      const reason = reasonIn(failure);
      return reason === undefined ? text : `${text} ${i18n.t(`blocks.reason.${reason}`)}`;
    }
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
