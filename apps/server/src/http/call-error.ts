import { type ErrorName, errno } from '@sonnenwarte/contract/errors';

/** A refusal with a number of the catalogue; answered as the envelope in HTTP 200. */
export class CallError extends Error {
  readonly errno: number;
  readonly result: unknown;

  constructor(name: ErrorName, result: unknown = null) {
    super(name);
    this.name = 'CallError';
    this.errno = errno[name];
    this.result = result;
  }
}

/** Throws the refusal for a record that does not exist or is out of scope. */
export function found<T>(record: T | undefined, otherwise: ErrorName): T {
  if (record === undefined) throw new CallError(otherwise);
  return record;
}
