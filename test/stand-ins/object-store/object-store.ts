import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type SignedRequest, signatureFault } from './signature.ts';

interface StoredObject {
  readonly content: Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Unfinished {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: Map<number, StoredObject>;
}

/** A refusal with an error code of S3. */
interface Refusal {
  readonly status: number;
  readonly code: string;
}

export const storeKey = { id: 'AKSTANDIN', secret: 'stand-in/secret+1', region: 'eu-test' };
const minPart = 5 * 1024 * 1024;
const statuses: Readonly<Record<string, number>> = { AuthorizationHeaderMalformed: 400 };

/**
 * A stand-in for an S3-compatible object store with one bucket, `releases`, in memory. It verifies
 * signatures and digests, and the rules of uploads in parts: minimum size, order, ETags. Objects with the
 * prefix `public/` are readable without a signature.
 */
export class ObjectStore implements AsyncDisposable {
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<string, Unfinished>();
  /** Successful requests that stored something, such as `PUT a.tar part 2`. */
  readonly stored: string[] = [];
  /** Returns how a request is refused. */
  refuse: (request: SignedRequest) => Refusal | undefined = () => undefined;
  readonly #server: Server;
  #started = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<ObjectStore> {
    const server = createServer();
    const store = new ObjectStore(server);
    server.on('request', (request, response) => void store.#handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return store;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks);
    const request: SignedRequest = {
      method: incoming.method ?? '',
      target: incoming.url ?? '',
      headers: incoming.headers as Record<string, string>,
    };
    const refusal = this.#faultOf(request, body) ?? this.refuse(request);
    const answer = refusal ?? this.#answer(request, body);
    if ('code' in answer) {
      const text = `<Error><Code>${answer.code}</Code></Error>`;
      // A response to HEAD has no body, so no code.
      response.writeHead(answer.status).end(request.method === 'HEAD' ? undefined : text);
      return;
    }
    const { status = 200, headers = {}, text = '' } = answer;
    response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : text);
  }

  #faultOf(request: SignedRequest, body: Buffer): Refusal | undefined {
    if (/^\/releases\/public\//.test(request.target) && !request.headers.authorization) {
      return undefined;
    }
    const code = signatureFault(request, storeKey);
    if (code) return { status: statuses[code] ?? 403, code };
    const isWhole = request.headers['x-amz-content-sha256'] === digestOf('sha256', body);
    return isWhole ? undefined : { status: 400, code: 'XAmzContentSHA256Mismatch' };
  }

  #answer(request: SignedRequest, body: Buffer): Answer | Refusal {
    const url = new URL(request.target, 'http://store');
    const [, bucket, ...names] = decodeURIComponent(url.pathname).split('/');
    if (bucket !== 'releases') return { status: 404, code: 'NoSuchBucket' };
    const key = names.join('/');
    const query = url.searchParams;
    const { method, headers } = request;
    if (method === 'GET' && query.has('uploads'))
      return this.#listUploads(query.get('prefix') ?? '');
    if (method === 'POST' && query.has('uploads')) return this.#create(key, metadataIn(headers));
    const id = query.get('uploadId');
    if (id !== null) return this.#inParts(request, { key, id, query, body });
    if (method === 'PUT') return this.#put(key, body, metadataIn(headers));
    const found = this.objects.get(key);
    if (!found) return { status: 404, code: 'NoSuchKey' };
    const { content } = found;
    const [, start] = /^bytes=(\d+)-/.exec(headers.range ?? '') ?? [];
    const sent = content.subarray(Number(start ?? 0));
    const range = `bytes ${start}-${content.length - 1}/${content.length}`;
    return {
      status: start === undefined ? 200 : 206,
      headers: {
        ...found.headers,
        'content-length': `${sent.length}`,
        ...(start === undefined ? {} : { 'content-range': range }),
      },
      text: sent,
    };
  }

  #put(key: string, content: Buffer, headers: Readonly<Record<string, string>>): Answer {
    const etag = `"${digestOf('md5', content)}"`;
    this.objects.set(key, { content, etag, headers });
    this.stored.push(`PUT ${key}`);
    return { headers: { etag } };
  }

  #create(key: string, headers: Readonly<Record<string, string>>): Answer {
    this.#started += 1;
    const id = `upload-${this.#started}`;
    this.uploads.set(id, { key, headers, parts: new Map() });
    return { text: `<R><Bucket>releases</Bucket><Key>${key}</Key><UploadId>${id}</UploadId></R>` };
  }

  #listUploads(prefix: string): Answer {
    const rows = [...this.uploads]
      .filter(([, { key }]) => key.startsWith(prefix))
      .map(([id, { key }]) => {
        const initiated = new Date(Number(id.slice(7)) * 1000).toISOString();
        return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`;
      });
    return { text: `<R>${rows.join('')}<IsTruncated>false</IsTruncated></R>` };
  }

  #inParts(
    { method }: SignedRequest,
    { key, id, query, body }: { key: string; id: string; query: URLSearchParams; body: Buffer },
  ): Answer | Refusal {
    const upload = this.uploads.get(id);
    if (upload?.key !== key) return { status: 404, code: 'NoSuchUpload' };
    if (method === 'DELETE') {
      this.uploads.delete(id);
      return { status: 204 };
    }
    if (method === 'GET') return listParts(upload, Number(query.get('part-number-marker') ?? 0));
    if (method === 'POST') return this.#complete(id, upload, String(body));
    const number = Number(query.get('partNumber'));
    const etag = `"${digestOf('md5', body)}"`;
    upload.parts.set(number, { content: body, etag, headers: {} });
    this.stored.push(`PUT ${key} part ${number}`);
    return { headers: { etag } };
  }

  #complete(id: string, { key, headers, parts }: Unfinished, xml: string): Answer | Refusal {
    const listed = [...xml.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)];
    const found = listed.map(([, number]) => parts.get(Number(number)));
    const isOrdered = listed.every(([, number], index) => Number(number) === index + 1);
    if (!isOrdered) return { status: 400, code: 'InvalidPartOrder' };
    if (listed.length === 0 || found.some((part, index) => part?.etag !== listed[index]?.[2])) {
      return { status: 400, code: 'InvalidPart' };
    }
    const contents = found.map((part) => part?.content ?? Buffer.alloc(0));
    if (contents.slice(0, -1).some(({ length }) => length < minPart)) {
      return { status: 400, code: 'EntityTooSmall' };
    }
    this.uploads.delete(id);
    const etag = `"${digestOf('md5', Buffer.concat(contents))}-${listed.length}"`;
    this.objects.set(key, { content: Buffer.concat(contents), etag, headers });
    this.stored.push(`COMPLETE ${key}`);
    return { text: `<R><ETag>${etag}</ETag></R>` };
  }
}

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly text?: string | Buffer;
}

/** Two parts at a time, so that clients must follow the marker. */
function listParts({ parts }: Unfinished, marker: number): Answer {
  const later = [...parts].filter(([number]) => number > marker).sort(([a], [b]) => a - b);
  const page = later.slice(0, 2);
  const rows = page.map(
    ([number, { content, etag }]) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag><Size>${content.length}</Size></Part>`,
  );
  const end = `<NextPartNumberMarker>${page.at(-1)?.[0] ?? marker}</NextPartNumberMarker>`;
  return { text: `<R>${rows.join('')}${end}<IsTruncated>${later.length > 2}</IsTruncated></R>` };
}

function metadataIn(headers: SignedRequest['headers']): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) =>
    /^(?:x-amz-meta-|content-type$)/.test(name),
  );
  return Object.fromEntries(kept) as Record<string, string>;
}

function digestOf(name: 'md5' | 'sha256', bytes: Buffer): string {
  return createHash(name).update(bytes).digest('hex');
}
