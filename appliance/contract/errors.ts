/**
 * Every code an error can carry, grouped by the exit code that a program ends with.
 * The grouping is documented for users in `docs/errors.md`; a test keeps the two in step.
 */
const families = {
  usage: { exit: 2, codes: ['USAGE'] },
  configuration: {
    exit: 3,
    codes: [
      'CONFIG_MISSING',
      'CONFIG_TOO_LARGE',
      'CONFIG_ENCODING',
      'CONFIG_SYNTAX',
      'CONFIG_INVALID',
      'COMPOSE_INVALID',
      'SITE_SECRET',
    ],
  },
  lock: {
    exit: 4,
    codes: ['LOCK_MISSING', 'LOCK_INVALID', 'LOCK_DRIFT', 'LOCK_UNRESOLVED'],
  },
  network: {
    exit: 5,
    codes: [
      'NETWORK_UNREACHABLE',
      'NETWORK_TIMEOUT',
      'NETWORK_TLS',
      'NETWORK_PROXY',
      'HTTP_STATUS',
      'HTTP_REDIRECT',
      'REGISTRY_AUTH',
      'REGISTRY_CREDENTIALS',
      'REGISTRY_PROTOCOL',
      'REGISTRY_RATE_LIMIT',
      'IMAGE_NOT_FOUND',
      'IMAGE_PLATFORM',
      'IMAGE_NOT_INDEX',
      'IMAGE_MANIFEST',
      'IMAGE_FOREIGN_LAYER',
      'IMAGE_SOURCE',
      'MODEL_NOT_FOUND',
      'MODEL_MANIFEST',
      'MODEL_FORMAT',
      'BLOB_DIGEST',
      'BLOB_SIZE',
    ],
  },
  refused: {
    exit: 6,
    codes: [
      'BUNDLE_TRUNCATED',
      'BUNDLE_HEADER',
      'BUNDLE_HEAD',
      'BUNDLE_MANIFEST',
      'BUNDLE_SIGNATURE',
      'BUNDLE_UNTRUSTED',
      'BUNDLE_KEYS',
      'BUNDLE_CHECKSUMS',
      'BUNDLE_MEMBER',
      'BUNDLE_CONTENT',
      'BUNDLE_TRAILING',
      'BUNDLE_ROLLBACK',
      'BUNDLE_EXPIRED',
      'BUNDLE_WRONG_TARGET',
      'BUNDLE_PINNED',
    ],
  },
  key: {
    exit: 7,
    codes: [
      'KEY_MISSING',
      'KEY_KIND',
      'KEY_FORMAT',
      'KEY_ENCRYPTED',
      'KEY_PASSPHRASE',
      'KEY_EXPOSED',
      'KEY_EXISTS',
    ],
  },
  file: {
    exit: 8,
    codes: ['FILE_EXISTS', 'FILE_MISSING', 'FILE_ACCESS', 'DISK_FULL', 'STORE_BUSY'],
  },
  userData: {
    exit: 9,
    codes: ['USER_DATA_TOO_LARGE', 'USER_DATA_PROVIDER', 'USER_DATA_MISMATCH'],
  },
  environment: { exit: 10, codes: ['ENGINE_UNREACHABLE', 'TOOL_MISSING'] },
  server: {
    exit: 11,
    codes: [
      'STAGE_FAILED',
      'SERVER_UNFIT',
      'COMMAND_FAILED',
      'APT_FAILED',
      'STATE_INVALID',
      'NOT_ROOT',
      'ALREADY_RUNNING',
      'ROUTE_BLOCKED',
      'SSH_UNPROVEN',
      'FIREWALL_INVALID',
      'HOST_SETTINGS',
      'ENGINE_SETTINGS',
      'IMAGE_MISMATCH',
      'STACK_UNHEALTHY',
      'TLS_MATERIAL',
      'TLS_NAME',
      'ACME_CHALLENGE',
      'ACME_RATE_LIMIT',
      'ACME_REFUSED',
      'ACME_UNREACHABLE',
      'MODEL_FAILED',
      'SMOKE_FAILED',
      'UNCONFIRMED',
    ],
  },
} as const;

/** A literal code: what programs and tests compare, never the message. */
export type ErrorCode = (typeof families)[keyof typeof families]['codes'][number];

/** One finding. Several are reported together where several can be found. */
export interface Problem {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly file?: string | undefined;
  /** 1-based. */
  readonly line?: number | undefined;
  /** 1-based. */
  readonly column?: number | undefined;
}

export interface ErrorDetails {
  /** What the reader should do next, as one sentence. */
  readonly hint?: string | undefined;
  readonly problems?: readonly Problem[] | undefined;
  readonly cause?: unknown;
}

/** The only error class of the project: a code, what happened, and what to do about it. */
export class LandfallError extends Error {
  override readonly name = 'LandfallError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly problems: readonly Problem[];

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.problems = details.problems ?? [];
  }
}

/** The exit code for an error: its family's, or 1 for what nobody foresaw. */
export function exitCodeOf(error: unknown): number {
  if (!(error instanceof LandfallError)) return 1;
  const family = Object.values(families).find(({ codes }) =>
    (codes as readonly string[]).includes(error.code),
  );
  return family?.exit ?? 1;
}

/** Every code with its exit code, for the documentation and its test. */
export function allErrorCodes(): ReadonlyArray<{ code: ErrorCode; exit: number }> {
  return Object.values(families).flatMap(({ exit, codes }) =>
    codes.map((code) => ({ code, exit })),
  );
}
