import type { ErrorCode } from '#contract/errors.ts';
import { TransferError } from '#http/transfer-error.ts';
import { engineWords } from '../host/engine-words.ts';
import type { PullSource } from './pull-source.ts';

interface Reason {
  /** What the engine writes. */
  readonly words: RegExp;
  readonly code?: ErrorCode;
  /** Follows the name of the model and where it was to come from. */
  readonly message: string;
  readonly hint: string;
  readonly transient?: boolean;
}

/** What is known of Ollama's words (`server/images.go`, `server/download.go`, Go's own below it). */
const reasons: readonly Reason[] = [
  {
    words: /file does not exist|not found|invalid model name/i,
    message: 'is not there',
    hint: 'Check name and tag; https://ollama.com/library lists those of its registry.',
  },
  {
    words: /no Location header/i,
    message: 'cannot be had from there: it is a plain registry',
    hint: 'The engine wants a registry that answers for blobs with a redirect. Name another mirror, or none.',
  },
  {
    words: /no space left on device/i,
    code: 'DISK_FULL',
    message: 'does not fit on the disk',
    hint: 'Free some space, or take a smaller model. What was fetched is kept.',
  },
  {
    words: /newer version of ollama|status code 412/i,
    message: 'wants a newer engine',
    hint: 'Take a newer release, or an older model.',
  },
  {
    words: /x509|certificate|tls: /i,
    message: 'could not be fetched: whoever answers shows no certificate that the engine trusts',
    hint: 'A proxy that opens TLS is on the way, or the mirror speaks plain HTTP, which a mirror with http:// says.',
  },
  {
    words: /unauthorized|forbidden|access denied|\b40[13]\b|realm/i,
    message: 'is only for those who log in',
    hint: 'Take a place that gives it to everybody.',
  },
  {
    words: /no such host|lookup .*(?:i\/o timeout|server misbehaving)/i,
    message: 'could not be fetched: the name of the place is unknown here',
    hint: 'Check the name and the route. Where the registry is out of reach, name a mirror as mirrors.models.',
    transient: true,
  },
  {
    words: /server gave HTTP response to HTTPS client/i,
    message: 'could not be fetched: the place speaks plain HTTP',
    hint: 'Say so: write the mirror with http:// in front.',
  },
];

/** What a pull that failed means, told from the engine's words. */
export function pullFailure({ name, host }: PullSource, words: string): TransferError {
  const reason = reasons.find((each) => each.words.test(words));
  const said = engineWords(words);
  if (!reason) {
    return new TransferError('MODEL_FAILED', `${name} could not be fetched from ${host}: ${said}`, {
      hint: 'Check the route. What was fetched is kept.',
      transient: true,
    });
  }
  const { code = 'MODEL_FAILED', message, hint, transient = false } = reason;
  return new TransferError(code, `${name} ${message} (from ${host})`, {
    hint,
    problems: [{ message: `the engine says: ${said}` }],
    transient,
  });
}
