import { plainLine } from '#contract/text/plain-line.ts';
import { TransferError } from '#http/transfer-error.ts';
import { textOf } from './elements.ts';

interface Refusal {
  /** What was requested, such as `PUT landfall/x.tar`. */
  readonly what: string;
  readonly host: string;
  readonly status: number;
  readonly body: string;
  /** Region of the bucket, if the server names it. */
  readonly region: string | undefined;
}

const transientStatuses = new Set([408, 429, 500, 502, 503, 504]);
const transientCodes = new Set(['InternalError', 'RequestTimeout', 'SlowDown', 'OperationAborted']);

/** What to do for the error codes of S3 (docs.aws.amazon.com, "List of error codes"). */
const hints: Readonly<Record<string, string>> = {
  AccessDenied: 'Allow the key to read and write objects of this bucket.',
  InvalidAccessKeyId: 'Check AWS_ACCESS_KEY_ID, and that the key belongs to this endpoint.',
  SignatureDoesNotMatch: 'Check AWS_SECRET_ACCESS_KEY and --region.',
  RequestTimeTooSkewed: 'Set the clock of this computer.',
  ExpiredToken: 'Get a new AWS_SESSION_TOKEN.',
  NoSuchBucket: 'Create the bucket, or check its name, --endpoint and --region.',
  SecondLevelDomainForbidden: 'Add --virtual-host.',
  VirtualHostDomainRequired: 'Add --virtual-host.',
};

/** Returns the error of a response: UPLOAD_REFUSED with the code of S3 in its message. */
export function s3Error({ what, host, status, body, region }: Refusal): TransferError {
  const code = plainLine(textOf(body, 'Code') ?? '', 60);
  // The server chooses the text, and users may paste the advice into a shell.
  const isName = region !== undefined && /^[a-z0-9-]{1,40}$/.test(region);
  const wrongRegion = isName ? `Use --region ${region}.` : undefined;
  const isRegion = status === 301 || status === 307 || code === 'AuthorizationHeaderMalformed';
  return new TransferError(
    'UPLOAD_REFUSED',
    `${what} failed: ${host} responded with status ${status}${code === '' ? '' : `, ${code}`}`,
    {
      hint: (isRegion ? wrongRegion : undefined) ?? hints[code] ?? hintFor(status),
      transient: transientStatuses.has(status) || transientCodes.has(code),
      status,
    },
  );
}

function hintFor(status: number): string {
  if (status >= 500) return 'Run the command again later; complete parts are kept.';
  if (status === 401 || status === 403) return 'Check the keys and their permissions.';
  if (status === 404) return 'Check the bucket and --endpoint.';
  return 'Check --endpoint, --region and the bucket.';
}
