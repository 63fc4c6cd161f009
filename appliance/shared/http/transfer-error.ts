import { type ErrorCode, type ErrorDetails, LandfallError } from '#contract/errors.ts';

/** Details that the retry logic uses. */
interface TransferDetails extends ErrorDetails {
  /** Whether to retry the same request immediately. Implies `retriable`. */
  readonly transient: boolean;
  /** Whether the connection failed, so that nothing was sent. */
  readonly isConnecting?: boolean | undefined;
  /** The HTTP status, if one was received. */
  readonly status?: number | undefined;
  /** Delay of Retry-After in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** The error of a failed request. Only the retry logic uses its additional fields. */
export class TransferError extends LandfallError {
  readonly transient: boolean;
  readonly isConnecting: boolean;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, details: TransferDetails) {
    super(code, message, {
      ...details,
      retriable: details.retriable ?? (details.transient || undefined),
    });
    this.transient = details.transient;
    this.isConnecting = details.isConnecting ?? false;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
  }
}
