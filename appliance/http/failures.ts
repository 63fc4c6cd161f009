import type { ErrorCode } from '#contract/errors.ts';
import { failureReason, unknownReason } from './failure-reasons.ts';
import type { Settings } from './options.ts';
import { tlsFailure } from './tls-failures.ts';
import { TransferError } from './transfer-error.ts';

/** Where an exchange failed. */
interface FailurePlace {
  readonly url: URL;
  /** Host of the proxy in between. */
  readonly proxy: string | undefined;
  /** Default: command. */
  readonly settings?: Settings | undefined;
}

const tooFar = 'Try again later, or through a mirror or a proxy that is nearer.';
const hints: Readonly<Record<Settings, Readonly<Partial<Record<ErrorCode, string>>>>> = {
  command: {
    NETWORK_UNREACHABLE:
      'Check the name and the connection; where only a proxy leads outside, set HTTPS_PROXY or give --proxy.',
    NETWORK_TIMEOUT: tooFar,
    NETWORK_PROXY:
      'Check the proxy and its rules; NO_PROXY lists hosts that are reached without it.',
  },
  site: {
    NETWORK_UNREACHABLE:
      'Check the name and the connection; where only a proxy leads outside, name it as route in the site.',
    NETWORK_TIMEOUT: tooFar,
    NETWORK_PROXY:
      'Check the proxy and its rules; route.no_proxy in the site lists hosts that are reached without it.',
  },
};

/** What a failure of the transport means, in words that carry no part of a URL but the host. */
export function networkError(cause: unknown, place: FailurePlace): TransferError {
  const code = codeOf(cause);
  const host = place.url.host;
  const { settings = 'command' } = place;
  const tls = tlsFailure(code);
  if (tls !== undefined) {
    const details = { hint: tls.hint[settings], transient: false, cause };
    return new TransferError(
      'NETWORK_TLS',
      `no trusted connection to ${host}: ${tls.text}`,
      details,
    );
  }
  const refusal = proxyRefusal(cause, code, place);
  if (refusal !== undefined) return refusal;
  const reason = failureReason(code) ?? unknownReason(code);
  return new TransferError(reason.code, `${host} is not reachable: ${reason.text}`, {
    hint: hints[settings][reason.code],
    transient: reason.transient,
    cause,
  });
}

/** The first known code along the causes; several addresses of one host fail as one error. */
function codeOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 4) return '';
  const own = ownCode(error);
  if (failureReason(own) !== undefined || tlsFailure(own) !== undefined) return own;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return codeOf(inner, depth + 1) || own;
}

/** undici forgets the code of what its parser refuses. */
function ownCode(error: Error): string {
  if (error.name === 'HTTPParserError') return 'HPE_REFUSED';
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** A proxy that is not there, or that refuses: undici tells its status in the message only. */
function proxyRefusal(
  cause: unknown,
  code: string,
  { url, proxy, settings = 'command' }: FailurePlace,
): TransferError | undefined {
  if (proxy === undefined) return undefined;
  const reason = failureReason(code);
  const status = refusalStatus(cause, code);
  const isSocks = code.startsWith('UND_ERR_SOCKS5');
  if (reason?.connecting !== true && status === 0 && !isSocks) return undefined;
  const isLogin = status === 407 || code.startsWith('UND_ERR_SOCKS5_AUTH');
  const text = isLogin ? 'it wants other credentials' : (reason?.text ?? refusalText(status));
  return new TransferError(
    'NETWORK_PROXY',
    `the proxy ${proxy} does not lead to ${url.host}: ${text}`,
    {
      hint: isLogin
        ? 'Put user and password into the proxy URL, with special characters percent-encoded.'
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
  return status === 0 ? 'it refused the connection' : `it answered with status ${status}`;
}
