import type { SignedRequest } from './signature.ts';

/** A response of the store that is no error. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A refusal with an error code of S3. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  /** The region that a client must use, if that is the reason. */
  readonly region?: string;
}

/** An object, as it is stored. */
export interface StoredObject {
  readonly content: Buffer;
  readonly etag: string;
  /** Its metadata. */
  readonly headers: Readonly<Record<string, string>>;
  /** Default: the start of 1970. */
  readonly modified?: Date;
}

/** The texts of AWS, which clients show (docs.aws.amazon.com, "List of error codes"). */
const messages: Readonly<Record<string, string>> = {
  AccessDenied: 'Access Denied',
  AuthorizationHeaderMalformed: 'The authorization header is malformed; the region is wrong',
  BadDigest: 'The Content-MD5 you specified did not match what we received.',
  InvalidAccessKeyId: 'The AWS Access Key Id you provided does not exist in our records.',
  InvalidDigest: 'The Content-MD5 you specified is not valid.',
  InvalidRange: 'The requested range is not satisfiable',
  NoSuchBucket: 'The specified bucket does not exist',
  NoSuchKey: 'The specified key does not exist.',
  NoSuchUpload: 'The specified upload does not exist.',
  NotImplemented:
    'A header or parameter you provided implies functionality that is not implemented',
  PathStyleDomainForbidden:
    'The bucket you are attempting to access must be addressed using COS virtual-styled domain.',
  RequestTimeTooSkewed:
    "The difference between the request time and the server's time is too large.",
  SignatureDoesNotMatch:
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  SlowDown: 'Please reduce your request rate.',
};

/** Renders a refusal. A response to HEAD has no body, so no code. */
export function refusalAnswer(
  { status, code, region }: Refusal,
  { target }: SignedRequest,
): Required<Answer> {
  const message = messages[code] ?? code;
  const [path = ''] = target.split('?');
  const fields = { Code: code, Message: message, Resource: path, RequestId: 'stand-in' };
  const all = { ...fields, ...(region !== undefined && { Region: region }) };
  const text = Object.entries(all).map(([name, value]) => `<${name}>${escaped(value)}</${name}>`);
  const more = region === undefined ? {} : { 'x-amz-bucket-region': region };
  return { ...xml(`<Error>${text.join('')}</Error>`), status, headers: { ...xmlType, ...more } };
}

const xmlType = { 'content-type': 'application/xml' };

/** Returns an answer with an XML document. */
export function xml(text: string): Answer & { readonly body: string } {
  return { headers: xmlType, body: `<?xml version="1.0" encoding="UTF-8"?>\n${text}` };
}

/** Escapes text for XML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
