/** Names as in the API reference of Amazon S3. */
type OperationName =
  | 'AbortMultipartUpload'
  | 'CompleteMultipartUpload'
  | 'CreateBucket'
  | 'CreateMultipartUpload'
  | 'DeleteObject'
  | 'GetBucketLocation'
  | 'GetObject'
  | 'HeadBucket'
  | 'HeadObject'
  | 'ListMultipartUploads'
  | 'ListObjectsV2'
  | 'ListParts'
  | 'PutObject'
  | 'UploadPart';

/** What a request asks for. */
export interface Operation {
  readonly name: OperationName;
  readonly bucket: string;
  /** Empty: the bucket. */
  readonly key: string;
  readonly query: URLSearchParams;
}

interface Known {
  readonly name: OperationName;
  readonly method: string;
  readonly of: 'bucket' | 'object';
  /** Parameters that it must have. */
  readonly has?: readonly string[];
  /** Parameters that it can have. */
  readonly mayHave?: readonly string[];
}

const listParameters = [
  ...['prefix', 'delimiter', 'encoding-type', 'fetch-owner', 'max-keys', 'start-after'],
  'continuation-token',
];

const known: readonly Known[] = [
  { name: 'HeadBucket', method: 'HEAD', of: 'bucket' },
  { name: 'CreateBucket', method: 'PUT', of: 'bucket' },
  { name: 'GetBucketLocation', method: 'GET', of: 'bucket', has: ['location'] },
  {
    ...{ name: 'ListObjectsV2', method: 'GET', of: 'bucket', has: ['list-type'] },
    mayHave: listParameters,
  },
  {
    ...{ name: 'ListMultipartUploads', method: 'GET', of: 'bucket', has: ['uploads'] },
    mayHave: ['prefix'],
  },
  { name: 'GetObject', method: 'GET', of: 'object' },
  { name: 'HeadObject', method: 'HEAD', of: 'object' },
  { name: 'PutObject', method: 'PUT', of: 'object' },
  { name: 'DeleteObject', method: 'DELETE', of: 'object' },
  { name: 'CreateMultipartUpload', method: 'POST', of: 'object', has: ['uploads'] },
  { name: 'UploadPart', method: 'PUT', of: 'object', has: ['partNumber', 'uploadId'] },
  {
    ...{ name: 'ListParts', method: 'GET', of: 'object', has: ['uploadId'] },
    mayHave: ['part-number-marker'],
  },
  { name: 'CompleteMultipartUpload', method: 'POST', of: 'object', has: ['uploadId'] },
  { name: 'AbortMultipartUpload', method: 'DELETE', of: 'object', has: ['uploadId'] },
];

/** Headers of S3 that the store understands. */
const knownHeaders = /^x-amz-(?:date|content-sha256|meta-[\w-]+)$/;
/** Headers that change what a request does, which the store does not implement. */
const conditions = /^(?:x-amz-|if-(?:none-)?match$|if-(?:un)?modified-since$|if-range$)/;

/**
 * Returns the operation of a request, in path style; undefined if the store does not implement it, or one
 * of its parameters or headers.
 */
export function operationOf(
  method: string,
  target: string,
  headers: Readonly<Record<string, string | undefined>>,
): Operation | undefined {
  const url = new URL(target, 'http://store');
  const [, bucket = '', ...names] = decodeURIComponent(url.pathname).split('/');
  const key = names.join('/');
  const query = url.searchParams;
  const parameters = [...query.keys()];
  const isStrange = Object.keys(headers).some(
    (header) => conditions.test(header) && !knownHeaders.test(header),
  );
  if (isStrange || bucket === '' || new Set(parameters).size < parameters.length) return undefined;
  const found = known.find(
    ({ method: its, of, has = [], mayHave = [] }) =>
      its === method &&
      (of === 'bucket') === (key === '') &&
      has.every((each) => query.has(each)) &&
      parameters.every((each) => has.includes(each) || mayHave.includes(each)),
  );
  return found && { name: found.name, bucket, key, query };
}
