import { createHash, createHmac } from 'node:crypto';

/** A request as the server received it. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** Headers by name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const pattern =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([^/,]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

/**
 * Returns the error code of S3 for a request that is not signed with the key, else undefined
 * (docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
 */
export function signatureFault(
  request: SignedRequest,
  key: { readonly id: string; readonly secret: string; readonly region: string },
): string | undefined {
  const { headers } = request;
  const [, id, day = '', region = '', signed = '', signature] =
    pattern.exec(headers.authorization ?? '') ?? [];
  if (id === undefined) return 'AccessDenied';
  if (id !== key.id) return 'InvalidAccessKeyId';
  if (region !== key.region) return 'AuthorizationHeaderMalformed';
  const names = signed.split(';');
  const unsigned = Object.keys(headers).filter(
    (name) => name.startsWith('x-amz-') && !names.includes(name),
  );
  if (!names.includes('host') || unsigned.length > 0) return 'AccessDenied';
  const time = headers['x-amz-date'] ?? '';
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, hash(canonicalRequest(request, names))].join('\n');
  const steps = [day, region, 's3', 'aws4_request'];
  const signer = steps.reduce<Buffer>(
    (secret, step) => hmac(secret, step),
    Buffer.from(`AWS4${key.secret}`),
  );
  const expected = hmac(signer, text).toString('hex');
  return time.startsWith(day) && expected === signature ? undefined : 'SignatureDoesNotMatch';
}

function canonicalRequest(
  { method, target, headers }: SignedRequest,
  names: readonly string[],
): string {
  const [path = '', query = ''] = target.split('?');
  const parameters = query
    .split('&')
    .filter((each) => each !== '')
    .map((each) => each.split('=').map((part) => encoded(decodeURIComponent(part))))
    .map(([name, value = '']) => `${name}=${value}`)
    .sort();
  return [
    ...[
      method,
      path
        .split('/')
        .map((part) => encoded(decodeURIComponent(part)))
        .join('/'),
    ],
    parameters.join('&'),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    ...['', names.join(';'), headers['x-amz-content-sha256'] ?? ''],
  ].join('\n');
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
