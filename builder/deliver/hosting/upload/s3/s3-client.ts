import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { bucketUrl, type S3Target } from '#contract/s3-target.ts';
import { mapOf } from '#contract/text/json.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { HttpClient, type HttpResponse, type NetworkOptions } from '#http/client.ts';
import { transientStatuses } from '#http/status.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { S3Settings } from './settings.ts';

interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Empty: the bucket. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Receives the bytes of the body as they are sent. */
  readonly onBytes?: (bytes: number) => void;
}

export interface S3Response extends Pick<HttpResponse, 'status' | 'header'> {
  readonly text: string;
}

/** S3 keeps the connection open without a byte while it joins the parts of an upload. Milliseconds. */
const joinTimeout = 600_000;
/** Total timeout of a request that only reads. Milliseconds. */
const readTimeout = 60_000;
/** A slower connection cannot upload. Bytes per second. */
const minUploadRate = 4096;
/** Limit of a response: a list of 1000 parts. Bytes. */
const maxBytes = 4 * 1024 * 1024;
/** Progress is reported in steps of this size. Bytes. */
const step = 64 * 1024;

/** Sends signed requests to one bucket (Signature Version 4). Each request is sent once. */
export class S3Client {
  readonly #settings: S3Settings;
  readonly #http: HttpClient;
  readonly #readTimeout: number;
  /** Signing keys, which change daily. */
  readonly #cache = new Map<string, ArrayBuffer>();

  constructor(settings: S3Settings, network: NetworkOptions) {
    this.#settings = settings;
    this.#readTimeout = network.timeouts?.body ?? readTimeout;
    const timeouts = { headers: joinTimeout, body: joinTimeout };
    this.#http = new HttpClient({ ...network, timeouts });
  }

  /**
   * Sends a request.
   * @param accepted statuses besides 200 to 299 that are returned
   * @throws TransferError UPLOAD_REFUSED, NETWORK_…; transient ones can be retried
   */
  async send(request: S3Request, accepted: readonly number[] = []): Promise<S3Response> {
    const { method, key, query, onBytes } = request;
    const body = request.body ?? new Uint8Array();
    const url = objectUrl(this.#settings, key, query);
    const signed = await this.#sign(url, request, body);
    const response = await this.#http.send({
      ...{ url, method, follow: false, timeout: this.#timeoutOf(method, body) },
      headers: { ...signed, 'content-length': `${body.length}` },
      body: body.length === 0 ? undefined : Readable.from(inSteps(body, onBytes)),
    });
    const { status, header } = response;
    const text = await response.text(maxBytes);
    const isRefused = !accepted.includes(status) && (status >= 300 || /<Error>/.test(text));
    if (!isRefused) return { status, text, header };
    const what = `${method} ${key || this.#settings.bucket}`;
    const region = header('x-amz-bucket-region');
    throw s3Error({ what, host: url.host, status, body: text, region });
  }

  /** Returns the total timeout of a request in milliseconds: a server could send a byte at a time. */
  #timeoutOf(method: S3Request['method'], body: Uint8Array): number {
    if (method === 'GET' || method === 'HEAD') return this.#readTimeout;
    return joinTimeout + (body.length / minUploadRate) * 1000;
  }

  /** Closes all connections. */
  close(): Promise<void> {
    return this.#http.close();
  }

  async #sign(url: URL, { method, headers = {} }: S3Request, body: Uint8Array) {
    const { accessKeyId, secretAccessKey, sessionToken, region } = this.#settings;
    const sha256 = createHash('sha256').update(body).digest('hex');
    const signer = new AwsV4Signer({
      ...{ method, url: url.href, service: 's3', region, cache: this.#cache },
      ...{ accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) },
      headers: { 'user-agent': 'landfall', ...headers, 'x-amz-content-sha256': sha256 },
    });
    return Object.fromEntries((await signer.sign()).headers);
  }
}

async function* inSteps(body: Uint8Array, onBytes: S3Request['onBytes']) {
  for (let at = 0; at < body.length; at += step) {
    const piece = body.subarray(at, at + step);
    yield piece;
    onBytes?.(piece.length);
  }
}

/** Returns the URL of an object, or of the bucket for an empty key. */
export function objectUrl(
  target: S3Target,
  key: string,
  query: Readonly<Record<string, string>> = {},
): URL {
  // `+` in a path would be signed as a space.
  const path = key.split('/').map((name) => `/${encodeURIComponent(name)}`);
  const url = new URL(bucketUrl(target) + (key === '' ? '' : path.join('')));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

interface Refusal {
  /** What was requested, such as `PUT landfall/x.tar`. */
  readonly what: string;
  readonly host: string;
  readonly status: number;
  readonly body: string;
  /** Region of the bucket, if the server names it. */
  readonly region: string | undefined;
}

const transientCodes = new Set(['InternalError', 'RequestTimeout', 'SlowDown', 'OperationAborted']);

/** What to do for the error codes of S3 (docs.aws.amazon.com, "List of error codes"). */
const hints = mapOf<string>({
  AccessDenied: 'Allow the key to read and write objects of this bucket.',
  InvalidAccessKeyId: 'Check AWS_ACCESS_KEY_ID, and that the key belongs to this endpoint.',
  SignatureDoesNotMatch: 'Check AWS_SECRET_ACCESS_KEY and --region.',
  RequestTimeTooSkewed: 'Set the clock of this computer.',
  ExpiredToken: 'Get a new AWS_SESSION_TOKEN.',
  NoSuchBucket: 'Create the bucket, or check its name, --endpoint and --region.',
  SecondLevelDomainForbidden: 'Add --virtual-host.',
  VirtualHostDomainRequired: 'Add --virtual-host.',
  PathStyleDomainForbidden: 'Add --virtual-host.',
});

/** Returns the error of a response: UPLOAD_REFUSED with the code of S3 in its message. */
function s3Error({ what, host, status, body, region }: Refusal): TransferError {
  const code = plainLine(textOf(body, 'Code') ?? '', 60);
  // The server chooses the text, and users may paste the advice into a shell.
  const isName = region !== undefined && /^[a-z0-9-]{1,40}$/.test(region);
  const wrongRegion = isName ? `Use --region ${region}.` : undefined;
  const isRegion = status === 301 || status === 307 || code === 'AuthorizationHeaderMalformed';
  return new TransferError(
    'UPLOAD_REFUSED',
    `${what} failed: ${host} responded with status ${status}${code === '' ? '' : `, ${code}`}`,
    {
      hint: (isRegion ? wrongRegion : undefined) ?? hints.get(code) ?? hintFor(status),
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

const entities = mapOf<string>({
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
  ...{ '#34': '"', '#39': "'", '#x22': '"', '#x27': "'" },
});

/**
 * Yields the content of all elements of a name in a response of S3, which has no attributes in them and
 * no nested elements of the same name. Takes linear time also for elements without an end.
 */
export function* elementsOf(xml: string, name: string): Generator<string> {
  const [first, last] = [`<${name}>`, `</${name}>`];
  let next = 0;
  for (;;) {
    const start = xml.indexOf(first, next);
    const end = start < 0 ? -1 : xml.indexOf(last, start);
    if (end < 0) return;
    yield xml.slice(start + first.length, end);
    next = end + last.length;
  }
}

/** Returns the text of the first element of a name; undefined if there is none. */
export function textOf(xml: string, name: string): string | undefined {
  const [value] = elementsOf(xml, name);
  return value?.replace(
    /&(#?\w{1,4});/g,
    (whole, entity: string) => entities.get(entity.toLowerCase()) ?? whole,
  );
}
