import type { ErrorCode } from '#contract/errors.ts';
import { TransferError } from '#http/transfer-error.ts';
import { failureText } from '../host/pull/pull-line.ts';

interface Reason {
  /** Matches the message of Docker. */
  readonly words: RegExp;
  readonly code: ErrorCode;
  /** Follows the name of the image. */
  readonly message: string;
  readonly hint: string;
  readonly transient?: boolean;
}

const useMirror =
  'Set mirrors.registries in the site to a mirror, set a route, or use a full bundle, which contains the images.';

const diskFull = /no space left on device/i;

/** Returns whether a message of Docker means a full disk. */
export function isDiskFull(words: string): boolean {
  return diskFull.test(words);
}

/** Known messages of Docker, containerd, registries and Go's network library. The first match counts. */
const reasons: readonly Reason[] = [
  {
    words: diskFull,
    code: 'DISK_FULL',
    message: 'could not be pulled: no space left on the disk',
    hint: 'Free some space, or disable optional components.',
  },
  {
    words: /toomanyrequests|too many requests|rate limit/i,
    code: 'REGISTRY_RATE_LIMIT',
    message: 'could not be pulled: rate-limited by the registry',
    hint: `Wait some hours, or run sudo docker login. Otherwise: ${useMirror}`,
  },
  {
    words: /manifest unknown|not found|no such manifest|name unknown/i,
    code: 'IMAGE_NOT_FOUND',
    message: 'could not be pulled: image not found',
    hint: 'Use another mirror, a newer release, or a full bundle.',
  },
  {
    words: /unauthorized|denied|forbidden|authentication required|no basic auth credentials/i,
    code: 'REGISTRY_AUTH',
    message: 'could not be pulled: authentication required',
    hint: 'Use a mirror that allows anonymous pulls, use a full bundle, or run sudo docker login.',
  },
  {
    words: /x509|certificate|tls: /i,
    code: 'NETWORK_TLS',
    message: 'could not be pulled: untrusted TLS certificate',
    hint: `Check the clock, and bypass a proxy that inspects TLS. ${useMirror}`,
  },
  {
    words: /server gave HTTP response to HTTPS client/i,
    code: 'NETWORK_TLS',
    message: 'could not be pulled: the registry speaks plain HTTP',
    hint: 'Write the mirror with http:// in front.',
  },
];

/** Returns the error for a failed pull from the message of Docker. */
export function pullFailure(reference: string, words: string): TransferError {
  const reason = reasons.find((each) => each.words.test(words));
  const {
    code = 'NETWORK_UNREACHABLE',
    message = 'could not be pulled',
    hint = useMirror,
    transient = reason === undefined,
  } = reason ?? {};
  const said = failureText(words);
  return new TransferError(code, `${reference} ${message}`, {
    hint,
    problems: [{ message: `Docker reports: ${said}` }],
    transient,
  });
}
