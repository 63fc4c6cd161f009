import type { ErrorCode } from '#contract/errors.ts';
import { formatDuration } from '#contract/text/amount.ts';
import type { Text } from '#contract/text/language.ts';
import type { SettingsOrigin } from './options.ts';
import { TransferError } from './transfer-error.ts';

/** The target of a failed request. */
interface FailedTarget {
  readonly url: URL;
  /** Host of the proxy, if any. */
  readonly proxy: string | undefined;
  /** Default: command. */
  readonly settings?: SettingsOrigin | undefined;
}

const tooFar = 'Try again later, or use a closer mirror or proxy.';
const hints: Readonly<Record<SettingsOrigin, Readonly<Partial<Record<ErrorCode, string>>>>> = {
  command: {
    NETWORK_UNREACHABLE:
      'Check the host name and the network; if a proxy is required, set HTTPS_PROXY or --proxy.',
    NETWORK_TIMEOUT: tooFar,
    NETWORK_PROXY: 'Check the proxy and its rules, or add the host to NO_PROXY to bypass it.',
  },
  site: {
    NETWORK_UNREACHABLE:
      'Check the host name and the network; if a proxy is required, set route in site.yaml.',
    NETWORK_TIMEOUT: tooFar,
    NETWORK_PROXY:
      'Check the proxy and its rules, or add the host to route.no_proxy in site.yaml to bypass it.',
  },
};

/** Converts a transport failure to an error. Of the URL, only the host appears in the message. */
export function networkError(cause: unknown, target: FailedTarget): TransferError {
  const code = codeOf(cause);
  const host = target.url.host;
  const { settings = 'command' } = target;
  const tls = tlsFailure(code);
  if (tls !== undefined) {
    const details = { hint: tls.hint[settings], transient: false, isConnecting: true, cause };
    return new TransferError(
      'NETWORK_TLS',
      `cannot establish a trusted connection to ${host}: ${tls.text}`,
      details,
    );
  }
  const refusal = proxyRefusal(cause, code, target);
  if (refusal !== undefined) return refusal;
  const reason = failureReason(code) ?? unknownReason(code);
  return new TransferError(reason.code, `${host} is unreachable: ${reason.text}`, {
    hint: hints[settings][reason.code],
    transient: reason.transient,
    isConnecting: reason.connecting,
    cause,
  });
}

/** Returns the error of a request that exceeded its total timeout, in milliseconds. */
export function tooSlow({ url, settings = 'command' }: FailedTarget, timeout = 0): TransferError {
  const message = `${url.host} did not respond within ${formatDuration(timeout)}`;
  const hint = hints[settings].NETWORK_TIMEOUT;
  return new TransferError('NETWORK_TIMEOUT', message, { hint, transient: false });
}

/** Returns the first known code in the chain of causes. Several addresses fail as one error. */
function codeOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return '';
  const own = ownCode(error);
  if (failureReason(own) !== undefined || tlsFailure(own) !== undefined) return own;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return codeOf(inner, depth + 1) || own;
}

/** Returns the code of an error. undici's parser errors have none. */
function ownCode(error: Error): string {
  if (error.name === 'HTTPParserError') return 'HPE_REFUSED';
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * Returns the error of an unreachable or rejecting proxy. undici reports its status only as text.
 */
function proxyRefusal(
  cause: unknown,
  code: string,
  { url, proxy, settings = 'command' }: FailedTarget,
): TransferError | undefined {
  if (proxy === undefined) return undefined;
  const reason = failureReason(code);
  const status = refusalStatus(cause, code);
  const isSocks = code.startsWith('UND_ERR_SOCKS5');
  if (reason?.connecting !== true && status === 0 && !isSocks) return undefined;
  const isLogin = status === 407 || code.startsWith('UND_ERR_SOCKS5_AUTH');
  const text = isLogin ? 'authentication failed' : (reason?.text ?? refusalText(status));
  return new TransferError(
    'NETWORK_PROXY',
    `the proxy ${proxy} cannot reach ${url.host}: ${text}`,
    {
      hint: isLogin
        ? {
            en: 'Set user name and password in the proxy URL, with special characters percent-encoded.',
            zh: '在代理地址中写上用户名和密码，特殊字符要写成百分号编码。',
          }
        : hints[settings].NETWORK_PROXY,
      transient: reason?.transient ?? status >= 500,
      isConnecting: true,
      status: status === 0 ? undefined : status,
      cause,
    },
  );
}

function refusalStatus(cause: unknown, code: string): number {
  const isRefusal = code === 'UND_ERR_ABORTED' || code === 'UND_ERR_INVALID_ARG';
  if (!isRefusal || !(cause instanceof Error)) return 0;
  return Number(/\((\d{3})\)/.exec(cause.message)?.[1] ?? 0);
}

function refusalText(status: number): string {
  return status === 0 ? 'it rejected the connection' : `it responded with status ${status}`;
}

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
const noConnection: FailureReason = {
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
  ETIMEDOUT: noConnection,
  UND_ERR_CONNECT_TIMEOUT: noConnection,
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

/** A TLS failure with its hints. */
interface TlsFailure {
  readonly text: string;
  readonly hint: Readonly<Record<SettingsOrigin, Text>>;
}

const anywhere = (hint: Text) => ({ command: hint, site: hint });

const wrongTime: TlsFailure = {
  text: 'the certificate is expired or not yet valid',
  hint: anywhere({
    en: 'Check the clock of this machine; if it is correct, renew the certificate of the server.',
    zh: '检查本机的时钟；如果时钟正确，请更新服务器的证书。',
  }),
};
const wrongName: TlsFailure = {
  text: 'the certificate is for another host name',
  hint: anywhere({
    en: 'Check the host name, and check the network for a filter or a captive portal.',
    zh: '检查域名；网络中可能有过滤或登录页。',
  }),
};
const unknownAuthority: TlsFailure = {
  text: 'untrusted certificate authority',
  hint: {
    command: {
      en: 'Pass the certificate of your own authority with --ca; otherwise the connection may be intercepted.',
      zh: '如果是您自己的证书颁发机构，请用 --ca 指定它的证书；否则连接可能被劫持。',
    },
    site: {
      en: 'Put the certificate of your own authority into /usr/local/share/ca-certificates and run `update-ca-certificates`; otherwise the connection may be intercepted.',
      zh: '如果是您自己的证书颁发机构，请把它的证书写入站点的 ca，或放入 /usr/local/share/ca-certificates 并运行 `update-ca-certificates`；否则连接可能被劫持。',
    },
  },
};
const noHandshake: TlsFailure = {
  text: 'the TLS handshake failed',
  hint: anywhere({
    en: 'Check the port, and check that the server supports https.',
    zh: '检查端口，以及服务器是否支持 https。',
  }),
};

/** Returns the TLS failure of an OpenSSL verification code or a Node TLS code, if it is one. */
export function tlsFailure(code: string): TlsFailure | undefined {
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return wrongTime;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'UND_ERR_PRX_TLS') return wrongName;
  if (/^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|INVALID_CA|INVALID_PURPOSE)/.test(code)) {
    return unknownAuthority;
  }
  return /^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(code) ? noHandshake : undefined;
}
