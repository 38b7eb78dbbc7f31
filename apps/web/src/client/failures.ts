/** An answer with a nonzero error number. `result` carries the refused fields of errno 40257. */
export class ApiError extends Error {
  readonly errno: number;
  readonly result: unknown;

  constructor(errno: number, msg: string, result: unknown) {
    super(msg);
    this.name = 'ApiError';
    this.errno = errno;
    this.result = result;
  }
}

/** An answer that is no envelope, with its HTTP status. */
export class StatusError extends Error {
  readonly status: number;

  constructor(status: number, statusText: string) {
    super(statusText);
    this.name = 'StatusError';
    this.status = status;
  }
}

/** No answer: no network, or none within the time limit. */
export class NetworkError extends Error {
  readonly timedOut: boolean;

  constructor(timedOut: boolean) {
    super(timedOut ? 'No answer in time' : 'No connection');
    this.name = 'NetworkError';
    this.timedOut = timedOut;
  }
}

export type Failure = ApiError | StatusError | NetworkError;

export const isFailure = (error: unknown): error is Failure =>
  error instanceof ApiError || error instanceof StatusError || error instanceof NetworkError;
