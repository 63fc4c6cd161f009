import type { ErrorCode } from '#contract/errors.ts';
import { TransferError } from '#http/transfer-error.ts';
import { failureText } from '../host/pull/failure-text.ts';

interface Reason {
  /** What the engine writes. */
  readonly words: RegExp;
  readonly code: ErrorCode;
  /** Follows the name of the image. */
  readonly message: string;
  readonly hint: string;
  readonly transient?: boolean;
}

const nearer =
  'Name a mirror of its registry as mirrors.registries in the site, give the site a route, or use a full bundle, which has the images inside.';

const diskFull = /no space left on device/i;

/** Whether a pull failed because the disk is full, told from the engine's words. */
export function isDiskFull(words: string): boolean {
  return diskFull.test(words);
}

/** What is known of the words of Docker, containerd, registries and Go below them. */
const reasons: readonly Reason[] = [
  {
    words: diskFull,
    code: 'DISK_FULL',
    message: 'does not fit on the disk',
    hint: 'Free some space, or leave components out.',
  },
  {
    words: /toomanyrequests|too many requests|rate limit/i,
    code: 'REGISTRY_RATE_LIMIT',
    message: 'is not given to this address for now: it has asked too often',
    hint: `Wait some hours. Or log in to its registry: sudo docker login. Or: ${nearer}`,
  },
  {
    words: /manifest unknown|not found|no such manifest|name unknown/i,
    code: 'IMAGE_NOT_FOUND',
    message: 'is not there',
    hint: 'A mirror may lack it. Name another one, take a newer release, or use a full bundle.',
  },
  {
    words: /unauthorized|denied|forbidden|authentication required|no basic auth credentials/i,
    code: 'REGISTRY_AUTH',
    message: 'is only for those who log in',
    hint: 'Take a mirror that gives it to everybody, use a full bundle, or log in there: sudo docker login.',
  },
  {
    words: /x509|certificate|tls: /i,
    code: 'NETWORK_TLS',
    message: 'could not be pulled: whoever answers shows no certificate that the engine trusts',
    hint: `A proxy that opens TLS is on the way, or the clock is wrong. ${nearer}`,
  },
  {
    words: /server gave HTTP response to HTTPS client/i,
    code: 'NETWORK_TLS',
    message: 'could not be pulled: the place speaks plain HTTP',
    hint: 'Say so: write the mirror with http:// in front.',
  },
];

/** What a pull that failed means, told from the engine's words. */
export function pullFailure(reference: string, words: string): TransferError {
  const reason = reasons.find((each) => each.words.test(words));
  const {
    code = 'NETWORK_UNREACHABLE',
    message = 'could not be pulled',
    hint = nearer,
    transient = reason === undefined,
  } = reason ?? {};
  const said = failureText(words);
  return new TransferError(code, `${reference} ${message}`, {
    hint,
    problems: [{ message: `the engine says: ${said}` }],
    transient,
  });
}
