import { type Answer, escaped, type Refusal, type StoredObject, xml } from './answer.ts';

/** S3 lists 1000 entries at a time. Fewer, so that clients must follow the token. */
const pageSize = 5;

interface Entry {
  /** Key of an object, or common prefix. */
  readonly name: string;
  readonly object?: StoredObject;
}

/** Answers ListObjectsV2: keys in the order of their bytes, grouped by the delimiter, in pages. */
export function listObjects(
  bucket: string,
  objects: ReadonlyMap<string, StoredObject>,
  query: URLSearchParams,
): Answer | Refusal {
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? ''];
  const encoding = query.get('encoding-type');
  const max = Number(query.get('max-keys') ?? 1000);
  const token = query.get('continuation-token');
  const after = token === null ? query.get('start-after') : nameOf(token);
  const isKnown = query.get('list-type') === '2' && [null, 'url'].includes(encoding);
  if (!isKnown || !Number.isInteger(max) || max < 0 || after === undefined) {
    return { status: 400, code: 'InvalidArgument' };
  }
  const entries = entriesOf(objects, prefix, delimiter).filter(
    ({ name }) => after === null || compare(name, after) > 0,
  );
  const page = entries.slice(0, Math.min(max, pageSize));
  const last = page.at(-1);
  const isTruncated = last !== undefined && page.length < entries.length;
  const encode = encoding === 'url' ? encoded : (text: string) => text;
  const isWithOwner = query.get('fetch-owner') === 'true';
  const rows = page.map((entry) => row(entry, encode, isWithOwner)).join('');
  return xml(
    `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${[
      element('Name', bucket),
      element('Prefix', encode(prefix)),
      delimiter === '' ? '' : element('Delimiter', encode(delimiter)),
      encoding === null ? '' : element('EncodingType', encoding),
      element('KeyCount', `${page.length}`),
      element('MaxKeys', `${max}`),
      element('IsTruncated', `${isTruncated}`),
      isTruncated ? element('NextContinuationToken', tokenOf(last.name)) : '',
    ].join('')}${rows}</ListBucketResult>`,
  );
}

function entriesOf(
  objects: ReadonlyMap<string, StoredObject>,
  prefix: string,
  delimiter: string,
): Entry[] {
  const entries = new Map<string, Entry>();
  for (const [key, object] of objects) {
    if (!key.startsWith(prefix)) continue;
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    const name = end < 0 ? key : key.slice(0, end + delimiter.length);
    entries.set(name, end < 0 ? { name, object } : { name });
  }
  return [...entries.values()].sort((one, other) => compare(one.name, other.name));
}

function row({ name, object }: Entry, encode: (text: string) => string, isWithOwner: boolean) {
  if (!object) return `<CommonPrefixes>${element('Prefix', encode(name))}</CommonPrefixes>`;
  const owner = '<Owner><ID>stand-in</ID><DisplayName>stand-in</DisplayName></Owner>';
  return `<Contents>${[
    element('Key', encode(name)),
    element('LastModified', (object.modified ?? new Date(0)).toISOString()),
    element('ETag', object.etag),
    element('Size', `${object.content.length}`),
    isWithOwner ? owner : '',
    element('StorageClass', 'STANDARD'),
  ].join('')}</Contents>`;
}

function element(name: string, text: string): string {
  return `<${name}>${escaped(text)}</${name}>`;
}

/** Encodes as AWS does: all but slashes, and a space as a plus sign. */
function encoded(text: string): string {
  return text.split('/').map(encodeURIComponent).join('/').replaceAll('%20', '+');
}

/** The order of UTF-8 bytes. */
function compare(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

const mark = 'after:';

/** Clients must not understand it. */
function tokenOf(name: string): string {
  return Buffer.from(`${mark}${name}`).toString('base64');
}

function nameOf(token: string): string | undefined {
  const text = Buffer.from(token, 'base64').toString();
  return text.startsWith(mark) ? text.slice(mark.length) : undefined;
}
