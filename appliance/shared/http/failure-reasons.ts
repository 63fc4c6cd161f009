import type { ErrorCode } from '#contract/errors.ts';

/** Meaning of an error code of Node or undici. */
interface FailureReason {
  readonly code: ErrorCode;
  readonly text: string;
  /** Whether a retry may succeed. */
  readonly transient: boolean;
  /** Whether connecting failed. With a proxy, that is the connection to the proxy. */
  readonly connecting?: boolean;
}

const cut: FailureReason = {
  code: 'NETWORK_UNREACHABLE',
  text: 'the connection was lost',
  transient: true,
};
const noRoute: FailureReason = {
  code: 'NETWORK_UNREACHABLE',
  text: 'no route to host',
  transient: true,
  connecting: true,
};
const tooSlow: FailureReason = {
  code: 'NETWORK_TIMEOUT',
  text: 'the connection timed out',
  transient: true,
  connecting: true,
};

const reasons: Readonly<Record<string, FailureReason>> = {
  ENOTFOUND: { ...noRoute, text: 'the host name does not exist', transient: false },
  EAI_AGAIN: { ...noRoute, text: 'the host name cannot be resolved (temporary failure)' },
  ECONNREFUSED: { ...noRoute, text: 'connection refused' },
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  EADDRNOTAVAIL: noRoute,
  ECONNRESET: cut,
  ECONNABORTED: cut,
  EPIPE: cut,
  UND_ERR_SOCKET: cut,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: cut,
  UND_ERR_PRX_CONN: { ...cut, connecting: true },
  ETIMEDOUT: tooSlow,
  UND_ERR_CONNECT_TIMEOUT: tooSlow,
  UND_ERR_HEADERS_TIMEOUT: {
    code: 'NETWORK_TIMEOUT',
    text: 'the response timed out',
    transient: true,
  },
  UND_ERR_BODY_TIMEOUT: { code: 'NETWORK_TIMEOUT', text: 'the transfer stalled', transient: true },
  UND_ERR_HEADERS_OVERFLOW: {
    ...cut,
    text: 'the response header is too large',
    transient: false,
  },
};

/** Returns the meaning of a known network error code. */
export function failureReason(code: string): FailureReason | undefined {
  return Object.hasOwn(reasons, code) ? reasons[code] : undefined;
}

/** Returns the meaning of other codes: invalid HTTP, and requests that cannot be sent. */
export function unknownReason(code: string): FailureReason {
  const text = code === 'HPE_REFUSED' ? 'the response is not HTTP' : 'the request failed';
  return { code: 'NETWORK_UNREACHABLE', text, transient: false };
}
