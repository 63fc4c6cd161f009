import { type ErrorCode, type ErrorDetails, LandfallError } from '#contract/errors.ts';

/** What a failed exchange leaves behind for whoever decides on another try. */
interface TransferDetails extends ErrorDetails {
  /** Whether to try the same request again at once. Implies `retriable`. */
  readonly transient: boolean;
  /** The HTTP status, where one was received. */
  readonly status?: number | undefined;
  /** What the server asked to wait. */
  readonly retryAfterMs?: number | undefined;
}

/** A failed exchange. A LandfallError to everybody but the code that tries again. */
export class TransferError extends LandfallError {
  readonly transient: boolean;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, details: TransferDetails) {
    super(code, message, {
      ...details,
      retriable: details.retriable ?? (details.transient || undefined),
    });
    this.transient = details.transient;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
  }
}
