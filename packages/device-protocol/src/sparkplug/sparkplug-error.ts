/** Why a payload was refused. */
export type DecodeFailure = 'truncated' | 'malformed' | 'too-large' | 'unsupported';

/** The only error that {@link decodePayload} throws. */
export class SparkplugDecodeError extends Error {
  readonly reason: DecodeFailure;

  constructor(reason: DecodeFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SparkplugDecodeError';
    this.reason = reason;
  }
}
