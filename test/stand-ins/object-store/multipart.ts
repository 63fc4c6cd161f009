import { type Answer, type Refusal, type StoredObject, xml } from './answer.ts';
import { digestOf, metadataIn, objectOf } from './objects.ts';
import type { Operation } from './operation.ts';
import type { SignedRequest } from './signature.ts';

interface Unfinished {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: Map<number, StoredObject>;
}

const minPart = 5 * 1024 * 1024;
const noSuchUpload = { status: 404, code: 'NoSuchUpload' };

/** Uploads in parts, with their rules: minimum size, order, ETags. */
export class MultipartUploads {
  readonly unfinished = new Map<string, Unfinished>();
  /** Stores an object that is complete. */
  readonly #store: (key: string, object: StoredObject) => void;
  #started = 0;

  constructor(store: (key: string, object: StoredObject) => void) {
    this.#store = store;
  }

  create({ bucket, key }: Operation, { headers }: SignedRequest): Answer {
    this.#started += 1;
    const id = `upload-${this.#started}`;
    this.unfinished.set(id, { key, headers: metadataIn(headers), parts: new Map() });
    return xml(`<R><Bucket>${bucket}</Bucket><Key>${key}</Key><UploadId>${id}</UploadId></R>`);
  }

  list({ query }: Operation): Answer {
    const rows = [...this.unfinished]
      .filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''))
      .map(([id, { key }]) => {
        const initiated = new Date(Number(id.slice(7)) * 1000).toISOString();
        return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`;
      });
    return xml(`<R>${rows.join('')}<IsTruncated>false</IsTruncated></R>`);
  }

  abort({ key, query }: Operation): Answer | Refusal {
    const id = query.get('uploadId') ?? '';
    if (this.unfinished.get(id)?.key !== key) return noSuchUpload;
    this.unfinished.delete(id);
    return { status: 204 };
  }

  put({ key, query }: Operation, request: SignedRequest, body: Buffer): Answer | Refusal {
    const upload = this.unfinished.get(query.get('uploadId') ?? '');
    if (upload?.key !== key) return noSuchUpload;
    const part = { ...objectOf(body, request), headers: {} };
    upload.parts.set(Number(query.get('partNumber')), part);
    return { headers: { etag: part.etag } };
  }

  /** Two parts at a time, so that clients must follow the marker. */
  listParts({ key, query }: Operation): Answer | Refusal {
    const upload = this.unfinished.get(query.get('uploadId') ?? '');
    if (upload?.key !== key) return noSuchUpload;
    const marker = Number(query.get('part-number-marker') ?? 0);
    const later = [...upload.parts].filter(([number]) => number > marker).sort(([a], [b]) => a - b);
    const page = later.slice(0, 2);
    const rows = page.map(
      ([number, { content, etag }]) =>
        `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag><Size>${content.length}</Size></Part>`,
    );
    const end = `<NextPartNumberMarker>${page.at(-1)?.[0] ?? marker}</NextPartNumberMarker>`;
    return xml(`<R>${rows.join('')}${end}<IsTruncated>${later.length > 2}</IsTruncated></R>`);
  }

  complete({ key, query }: Operation, body: Buffer): Answer | Refusal {
    const id = query.get('uploadId') ?? '';
    const upload = this.unfinished.get(id);
    if (upload?.key !== key) return noSuchUpload;
    const pattern = /<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g;
    const listed = [...String(body).matchAll(pattern)];
    const found = listed.map(([, number]) => upload.parts.get(Number(number)));
    const isOrdered = listed.every(([, number], index) => Number(number) === index + 1);
    if (!isOrdered) return { status: 400, code: 'InvalidPartOrder' };
    if (listed.length === 0 || found.some((part, index) => part?.etag !== listed[index]?.[2])) {
      return { status: 400, code: 'InvalidPart' };
    }
    const contents = found.map((part) => part?.content ?? Buffer.alloc(0));
    if (contents.slice(0, -1).some(({ length }) => length < minPart)) {
      return { status: 400, code: 'EntityTooSmall' };
    }
    this.unfinished.delete(id);
    const content = Buffer.concat(contents);
    const etag = `"${digestOf('md5', content)}-${listed.length}"`;
    this.#store(key, { content, etag, headers: upload.headers, modified: new Date() });
    return xml(`<R><ETag>${etag}</ETag></R>`);
  }
}
