import { createHash, createHmac } from 'node:crypto';

/** A request as the server received it. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** Headers by name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** An AccessKey pair. */
export interface AccessKey {
  readonly id: string;
  readonly secret: string;
}

const pattern =
  /^ACS3-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

/**
 * Returns the error code of Alibaba Cloud for a request that is not signed with the key, else undefined
 * ("V3 request body & signature mechanism" in its SDK documentation).
 */
export function signatureFault(request: SignedRequest, key: AccessKey): string | undefined {
  const { headers, body } = request;
  const [, id, signed = '', signature] = pattern.exec(headers.authorization ?? '') ?? [];
  if (id === undefined) return 'IncompleteSignature';
  if (id !== key.id) return 'InvalidAccessKeyId.NotFound';
  if (headers['x-acs-content-sha256'] !== sha256(body)) return 'SignatureDoesNotMatch';
  const names = signed.split(';');
  const needed = Object.keys(headers).filter(
    (name) => name.startsWith('x-acs-') || name === 'host' || name === 'content-type',
  );
  if (needed.some((name) => !names.includes(name))) return 'IncompleteSignature';
  const text = `ACS3-HMAC-SHA256\n${sha256(canonicalRequest(request, names))}`;
  const expected = createHmac('sha256', key.secret).update(text).digest('hex');
  return expected === signature ? undefined : 'SignatureDoesNotMatch';
}

function canonicalRequest(
  { method, target, headers, body }: SignedRequest,
  names: readonly string[],
): string {
  const [path = '', query = ''] = target.split('?');
  const parameters = [...new URLSearchParams(query)]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort();
  return [
    ...[method, path, parameters.join('&')],
    ...names.toSorted().map((name) => `${name}:${(headers[name] ?? '').trim()}`),
    ...['', names.toSorted().join(';'), sha256(body)],
  ].join('\n');
}

/** Encodes a text as RFC 3986 does, which leaves fewer characters than JavaScript. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
