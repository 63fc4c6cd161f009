import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import {
  type Answer,
  escaped,
  type Refusal,
  refusalAnswer,
  type StoredObject,
  xml,
} from './answer.ts';
import { bodyFault } from './body.ts';
import { Cut, type CutPlan } from './cut.ts';
import { listObjects } from './list-objects.ts';
import { MultipartUploads } from './multipart.ts';
import { objectOf, readObject } from './objects.ts';
import { type Operation, operationOf } from './operation.ts';
import { type SignedRequest, signatureFault } from './signature.ts';

export const storeKey = { id: 'AKSTANDIN', secret: 'stand-in/secret+1', region: 'eu-test' };
/** Clients ask for the region of a bucket before they know it. */
const firstRegion = 'us-east-1';
const statuses: Readonly<Record<string, number>> = { AuthorizationHeaderMalformed: 400 };

interface StoreOptions {
  /** The only bucket that the key may use; default: `releases`. */
  readonly bucket?: string;
  /** Whether the bucket exists; otherwise a client creates it. */
  readonly exists?: boolean;
  /**
   * Its host name, if requests must have the bucket before it: one with the bucket in the path is refused as
   * Tencent Cloud COS does (cloud.tencent.com/document/product/436/96243).
   */
  readonly virtualHost?: string;
}

/**
 * A stand-in for an S3-compatible object store with one bucket, in memory. It verifies signatures and
 * digests, and the rules of uploads in parts. Lists have short pages. Objects with the prefix `public/` are
 * readable without a signature. What it does not implement, it rejects and records.
 */
export class ObjectStore implements AsyncDisposable {
  readonly objects = new Map<string, StoredObject>();
  /** Successful requests that stored something, such as `PUT a.tar part 2`. */
  readonly stored: string[] = [];
  /** Requests that the store does not implement. */
  readonly unknown: string[] = [];
  /** Returns how a request is refused. */
  refuse: (request: SignedRequest) => Refusal | undefined = () => undefined;
  readonly #bucket: string;
  readonly #virtualHost: string | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #uploads = new MultipartUploads((key, object) => {
    this.objects.set(key, object);
    this.stored.push(`COMPLETE ${key}`);
  });
  #server: Server | undefined;
  #port = 0;
  #exists: boolean;
  #cut: Cut | undefined;

  constructor({ bucket = 'releases', exists = true, virtualHost }: StoreOptions = {}) {
    this.#bucket = bucket;
    this.#virtualHost = virtualHost;
    this.#exists = exists;
  }

  /** Starts a store on this machine, without TLS. */
  static async start(options: StoreOptions = {}): Promise<ObjectStore> {
    const store = new ObjectStore(options);
    const server = createServer(store.answer);
    store.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    store.#port = (server.address() as AddressInfo).port;
    return store;
  }

  /** Its URL, after `start`. */
  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Unfinished uploads by ID. */
  get uploads() {
    return this.#uploads.unfinished;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const server = this.#server;
    server?.closeAllConnections();
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  /**
   * Cuts all connections at a moment of the plan, and every later one, until `reconnect`.
   * @returns a promise that resolves at that moment
   */
  cut(plan: CutPlan): Promise<void> {
    this.#cut = new Cut(plan);
    return this.#cut.happened;
  }

  /** Lets connections work again. */
  reconnect(): void {
    this.#cut = undefined;
  }

  /** Answers requests of a web server, with or without TLS. */
  readonly answer = (incoming: IncomingMessage, response: ServerResponse): void => {
    void this.#handle(incoming, response).catch(() => response.destroy());
  };

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket, method = '', url: target = '' } = incoming;
    this.#know(socket);
    const request = { method, target, headers: incoming.headers as Record<string, string> };
    if (this.#cut?.begin(request) === false) return this.#destroyAll();
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) {
      chunks.push(chunk as Buffer);
      if (this.#passes(request, chunk.length) < chunk.length) return this.#destroyAll();
    }
    const isSecure = (socket as TLSSocket).encrypted === true;
    const answer = this.#answerTo(request, Buffer.concat(chunks), isSecure);
    const {
      status = 200,
      headers = {},
      body = '',
    } = 'code' in answer ? refusalAnswer(answer, request) : answer;
    response.writeHead(status, headers);
    const bytes = Buffer.from(method === 'HEAD' ? '' : body);
    const passed = this.#passes(request, bytes.length);
    if (passed === bytes.length) return void response.end(bytes);
    response.write(bytes.subarray(0, passed), () => this.#destroyAll());
  }

  #know(socket: Socket): void {
    if (this.#sockets.has(socket)) return;
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  #passes(request: SignedRequest, bytes: number): number {
    return this.#cut?.pass(request, bytes) ?? bytes;
  }

  #destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #answerTo(request: SignedRequest, body: Buffer, isSecure: boolean): Answer | Refusal {
    const { method, headers } = request;
    const target = this.#inPathStyle(request);
    if (target === undefined) return { status: 403, code: 'PathStyleDomainForbidden' };
    const operation = operationOf(method, target, headers);
    if (!operation) {
      this.unknown.push(`${method} ${target}`);
      return { status: 501, code: 'NotImplemented' };
    }
    return (
      this.#signatureFault(request, operation) ??
      bodyFault(request, body, isSecure) ??
      this.refuse(request) ??
      this.#perform(operation, request, body)
    );
  }

  /** Returns the target of a request with the bucket as the first folder; undefined if it must not have it there. */
  #inPathStyle({ target, headers: { host = '' } }: SignedRequest): string | undefined {
    if (this.#virtualHost === undefined) return target;
    const end = `.${this.#virtualHost}`;
    const [name = ''] = host.split(':');
    return name.endsWith(end) ? `/${name.slice(0, -end.length)}${target}` : undefined;
  }

  #signatureFault(request: SignedRequest, { name, key }: Operation): Refusal | undefined {
    const isRead = name === 'GetObject' || name === 'HeadObject';
    if (isRead && key.startsWith('public/') && !request.headers.authorization) return undefined;
    const regions = [storeKey.region, ...(name === 'GetBucketLocation' ? [firstRegion] : [])];
    const codes = regions.map((region) => signatureFault(request, { ...storeKey, region }));
    const [code] = codes;
    if (code === undefined || codes.includes(undefined)) return undefined;
    const { region } = storeKey;
    const isRegion = code === 'AuthorizationHeaderMalformed';
    return { status: statuses[code] ?? 403, code, ...(isRegion && { region }) };
  }

  #perform(operation: Operation, request: SignedRequest, body: Buffer): Answer | Refusal {
    const { name, bucket, key, query } = operation;
    if (bucket !== this.#bucket || (!this.#exists && name !== 'CreateBucket')) {
      if (name === 'CreateBucket') return { status: 403, code: 'AccessDenied' };
      return { status: 404, code: 'NoSuchBucket' };
    }
    switch (name) {
      case 'HeadBucket':
        return {};
      case 'CreateBucket':
        if (this.#exists) return { status: 409, code: 'BucketAlreadyOwnedByYou' };
        this.#exists = true;
        return {};
      case 'GetBucketLocation':
        return xml(`<LocationConstraint>${escaped(storeKey.region)}</LocationConstraint>`);
      case 'ListObjectsV2':
        return listObjects(bucket, this.objects, query);
      case 'GetObject':
      case 'HeadObject':
        return readObject(this.objects.get(key), request);
      case 'PutObject': {
        const object = objectOf(body, request);
        this.objects.set(key, object);
        this.stored.push(`PUT ${key}`);
        return { headers: { etag: object.etag } };
      }
      case 'DeleteObject':
        this.objects.delete(key);
        return { status: 204 };
      case 'CreateMultipartUpload':
        return this.#uploads.create(operation, request);
      case 'UploadPart': {
        const answer = this.#uploads.put(operation, request, body);
        if (!('code' in answer)) this.stored.push(`PUT ${key} part ${query.get('partNumber')}`);
        return answer;
      }
      case 'ListMultipartUploads':
        return this.#uploads.list(operation);
      case 'ListParts':
        return this.#uploads.listParts(operation);
      case 'CompleteMultipartUpload':
        return this.#uploads.complete(operation, body);
      case 'AbortMultipartUpload':
        return this.#uploads.abort(operation);
    }
  }
}
