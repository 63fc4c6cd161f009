import type { ErrorCode } from '#contract/errors.ts';
import { failureReason, unknownReason } from './failure-reasons.ts';
import type { Settings } from './options.ts';
import { tlsFailure } from './tls-failures.ts';
import { TransferError } from './transfer-error.ts';

/** The target of a failed request. */
interface FailedTarget {
  readonly url: URL;
  /** Host of the proxy, if any. */
  readonly proxy: string | undefined;
  /** Default: command. */
  readonly settings?: Settings | undefined;
}

const tooFar = 'Try again later, or use a closer mirror or proxy.';
const hints: Readonly<Record<Settings, Readonly<Partial<Record<ErrorCode, string>>>>> = {
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
    const details = { hint: tls.hint[settings], transient: false, cause };
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
    cause,
  });
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
        ? 'Set user name and password in the proxy URL, with special characters percent-encoded.'
        : hints[settings].NETWORK_PROXY,
      transient: reason?.transient ?? status >= 500,
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
