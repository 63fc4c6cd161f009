/** The same action may succeed later without any change. */
const retriable = { retriable: true } as const;
/** The same action fails until something changes. */
const lasting = { retriable: false } as const;

/**
 * All error codes, grouped by exit code, and whether an error is retriable by default. A test
 * compares them with `docs/errors.md` and its Chinese page.
 */
const errorFamilies = {
  usage: {
    exit: 2,
    codes: {
      USAGE: lasting,
    },
  },
  configuration: {
    exit: 3,
    codes: {
      CONFIG_MISSING: lasting,
      CONFIG_TOO_LARGE: lasting,
      CONFIG_ENCODING: lasting,
      CONFIG_SYNTAX: lasting,
      CONFIG_INVALID: lasting,
      COMPOSE_INVALID: lasting,
      SITE_SECRET: lasting,
      LICENSE_UNKNOWN: lasting,
    },
  },
  lock: {
    exit: 4,
    codes: {
      LOCK_MISSING: lasting,
      LOCK_INVALID: lasting,
      LOCK_DRIFT: lasting,
      LOCK_UNRESOLVED: lasting,
    },
  },
  /** A host is unreachable. See {@link isNetworkError}. */
  network: {
    exit: 5,
    codes: {
      NETWORK_UNREACHABLE: retriable,
      NETWORK_TIMEOUT: retriable,
      NETWORK_TLS: lasting,
      NETWORK_PROXY: lasting,
    },
  },
  source: {
    exit: 5,
    codes: {
      HTTP_STATUS: lasting,
      HTTP_REDIRECT: lasting,
      REGISTRY_AUTH: lasting,
      REGISTRY_CREDENTIALS: lasting,
      REGISTRY_PROTOCOL: lasting,
      REGISTRY_RATE_LIMIT: retriable,
      IMAGE_NOT_FOUND: lasting,
      IMAGE_PLATFORM: lasting,
      IMAGE_NOT_INDEX: lasting,
      IMAGE_MANIFEST: lasting,
      IMAGE_FOREIGN_LAYER: lasting,
      IMAGE_SOURCE: lasting,
      MODEL_NOT_FOUND: lasting,
      MODEL_MANIFEST: lasting,
      MODEL_FORMAT: lasting,
      BLOB_DIGEST: retriable,
      BLOB_SIZE: retriable,
      UPLOAD_REFUSED: lasting,
    },
  },
  refused: {
    exit: 6,
    codes: {
      BUNDLE_TRUNCATED: lasting,
      BUNDLE_HEADER: lasting,
      BUNDLE_HEAD: lasting,
      BUNDLE_MANIFEST: lasting,
      BUNDLE_SIGNATURE: lasting,
      BUNDLE_UNTRUSTED: lasting,
      BUNDLE_KEYS: lasting,
      BUNDLE_CHECKSUMS: lasting,
      BUNDLE_MEMBER: lasting,
      BUNDLE_CONTENT: lasting,
      BUNDLE_TRAILING: lasting,
      BUNDLE_ROLLBACK: lasting,
      BUNDLE_EXPIRED: lasting,
      BUNDLE_WRONG_TARGET: lasting,
      BUNDLE_PINNED: lasting,
      BUNDLE_DIFFERS: lasting,
      CHANNEL_INVALID: lasting,
      CHANNEL_UNTRUSTED: lasting,
      CHANNEL_KEYS: lasting,
      CHANNEL_OLD: retriable,
      TRUST_REFUSED: lasting,
    },
  },
  key: {
    exit: 7,
    codes: {
      KEY_MISSING: lasting,
      KEY_KIND: lasting,
      KEY_FORMAT: lasting,
      KEY_ENCRYPTED: lasting,
      KEY_PASSPHRASE: lasting,
      KEY_EXPOSED: lasting,
      KEY_EXISTS: lasting,
    },
  },
  file: {
    exit: 8,
    codes: {
      FILE_EXISTS: lasting,
      FILE_MISSING: lasting,
      FILE_ACCESS: lasting,
      DISK_FULL: lasting,
      STORE_BUSY: retriable,
    },
  },
  userData: {
    exit: 9,
    codes: {
      USER_DATA_TOO_LARGE: lasting,
      USER_DATA_PROVIDER: lasting,
      USER_DATA_MISMATCH: lasting,
      USER_DATA_URL: lasting,
    },
  },
  ssh: {
    exit: 13,
    codes: {
      SSH_UNREACHABLE: retriable,
      SSH_DENIED: lasting,
      SSH_HOST_KEY: lasting,
      SSH_FORWARD: lasting,
    },
  },
  environment: {
    exit: 10,
    codes: {
      DOCKER_UNREACHABLE: retriable,
      TOOL_MISSING: lasting,
      PORT_TAKEN: lasting,
    },
  },
  server: {
    exit: 11,
    codes: {
      STAGE_FAILED: retriable,
      SERVER_UNFIT: lasting,
      COMMAND_FAILED: retriable,
      APT_FAILED: retriable,
      STATE_INVALID: lasting,
      NOT_ROOT: lasting,
      ALREADY_RUNNING: retriable,
      ROUTE_BLOCKED: retriable,
      SSH_UNPROVEN: lasting,
      FIREWALL_INVALID: lasting,
      HOST_SETTINGS: lasting,
      DOCKER_SETTINGS: lasting,
      IMAGE_MISMATCH: retriable,
      STACK_UNHEALTHY: retriable,
      TLS_MATERIAL: lasting,
      TLS_NAME: lasting,
      ACME_CHALLENGE: lasting,
      ACME_RATE_LIMIT: retriable,
      ACME_REFUSED: lasting,
      ACME_UNREACHABLE: retriable,
      MODEL_FAILED: lasting,
      SMOKE_FAILED: retriable,
      UNCONFIRMED: lasting,
      NODE_TOKEN: lasting,
      NODE_UNREACHABLE: retriable,
      SWARM_CONFLICT: lasting,
      UPDATE_FAILED: lasting,
      ALERT_FAILED: retriable,
      PROVIDER_KEY_REFUSED: lasting,
      BACKUP_FAILED: retriable,
      BACKUP_ACCESS: lasting,
      BACKUP_MISSING: lasting,
      BACKUP_PASSWORD: lasting,
      BACKUP_DAMAGED: lasting,
      BACKUP_RELEASE: lasting,
      BACKUP_TEST_FAILED: lasting,
      EXPORT_INCOMPLETE: lasting,
    },
  },
} as const;

type Families = typeof errorFamilies;

/** A literal code. Programs and tests compare it, never the message. */
export type ErrorCode = { [Name in keyof Families]: keyof Families[Name]['codes'] }[keyof Families];

/** The properties of a code. */
interface ErrorCodeRow {
  readonly code: ErrorCode;
  readonly family: keyof Families;
  readonly exit: number;
  readonly retriable: boolean;
}

const rows = Object.entries(errorFamilies).flatMap(([family, { exit, codes }]) =>
  Object.entries(codes).map(([code, row]) => ({ code, family, exit, ...row }) as ErrorCodeRow),
);
const rowsByCode = new Map(rows.map((row) => [row.code, row]));

/** Returns all codes in the order of the documentation. */
export function allErrorCodes(): readonly ErrorCodeRow[] {
  return rows;
}

/** Returns the properties of a code. */
export function rowOfCode(code: ErrorCode): ErrorCodeRow {
  const row = rowsByCode.get(code);
  if (row === undefined) throw new TypeError(`unknown error code: ${code}`);
  return row;
}
