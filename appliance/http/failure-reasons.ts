import type { ErrorCode } from '#contract/errors.ts';

/** What a code of Node or undici means. */
interface FailureReason {
  readonly code: ErrorCode;
  readonly text: string;
  /** Whether the same request may work a little later. */
  readonly transient: boolean;
  /** Whether it concerns the making of a connection, which with a proxy is one to the proxy. */
  readonly connecting?: boolean;
}

const cut: FailureReason = {
  code: 'NETWORK_UNREACHABLE',
  text: 'the connection was cut',
  transient: true,
};
const noRoute: FailureReason = {
  code: 'NETWORK_UNREACHABLE',
  text: 'there is no route to it',
  transient: true,
  connecting: true,
};
const tooSlow: FailureReason = {
  code: 'NETWORK_TIMEOUT',
  text: 'no connection came about in time',
  transient: true,
  connecting: true,
};

const reasons: Readonly<Record<string, FailureReason>> = {
  ENOTFOUND: { ...noRoute, text: 'its name does not resolve', transient: false },
  EAI_AGAIN: { ...noRoute, text: 'its name cannot be resolved at the moment' },
  ECONNREFUSED: { ...noRoute, text: 'the connection was refused' },
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
    text: 'no answer came in time',
    transient: true,
  },
  UND_ERR_BODY_TIMEOUT: { code: 'NETWORK_TIMEOUT', text: 'the transfer stalled', transient: true },
  UND_ERR_HEADERS_OVERFLOW: {
    ...cut,
    text: 'the head of its answer is too large',
    transient: false,
  },
};

/** The reason behind a code, where it is a known one of the network. */
export function failureReason(code: string): FailureReason | undefined {
  return Object.hasOwn(reasons, code) ? reasons[code] : undefined;
}

/** What is left: bytes that are not HTTP, and requests that cannot be sent. */
export function unknownReason(code: string): FailureReason {
  const text = code === 'HPE_REFUSED' ? 'its answer is not HTTP' : 'the exchange failed';
  return { code: 'NETWORK_UNREACHABLE', text, transient: false };
}
