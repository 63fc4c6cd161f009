import { LandfallError } from '#contract/errors.ts';
import { type Digest, digestOf, isDigest } from '#contract/trust/digest.ts';
import type { HttpClient, HttpResponse } from '#http/client.ts';
import { rangeFrom } from '#http/resume.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { Authenticator } from './authenticator.ts';
import type { CredentialStore } from './credentials.ts';
import { type Document, maxDocumentBytes, readDocument, tooLarge } from './document.ts';
import { acceptedManifests } from './media-types.ts';
import { familiar, type ImageReference } from './reference.ts';
import { htmlError, isHtml, refusalFor } from './refusal.ts';

interface EndpointParts {
  /** The host as users write it. Its login is stored under this name. */
  readonly host: string;
  /** The URL under which `/v2/` is. */
  readonly base: URL;
  /** Prefix of repository names, such as the project of a caching registry; or ''. */
  readonly prefix: string;
  readonly http: HttpClient;
  readonly credentials: CredentialStore;
}

interface EndpointRequest {
  readonly path: string;
  readonly what: string;
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  readonly expectedBytes?: number;
}

/**
 * One endpoint of the registry protocol (distribution-spec, "Pulling manifests", "Pulling blobs"):
 * a registry or a mirror of it. Every method makes one attempt.
 */
export class Endpoint {
  readonly host: string;
  readonly #parts: EndpointParts;
  readonly #authenticator: Authenticator;

  constructor(parts: EndpointParts) {
    this.host = parts.host;
    this.#parts = parts;
    this.#authenticator = new Authenticator(parts);
  }

  /**
   * Returns the digest of a tag with a HEAD request, which Docker Hub does not count against its
   * rate limit. Undefined when the registry does not send it.
   * @throws LandfallError REGISTRY_AUTH, NETWORK_…
   */
  async digestOfTag(image: ImageReference): Promise<Digest | undefined> {
    const response = await this.#exchange(image, { ...manifestRequest(image), method: 'HEAD' });
    await response.discard();
    const digest = response.header('docker-content-digest') ?? '';
    return response.status === 200 && isDigest(digest) ? digest : undefined;
  }

  /**
   * Returns the manifest or index of a reference, verified against the requested digest, or else
   * against the digest that the registry announces.
   * @throws LandfallError IMAGE_NOT_FOUND, IMAGE_MANIFEST, BLOB_DIGEST, REGISTRY_…, HTTP_…,
   * NETWORK_…
   */
  async manifest(image: ImageReference): Promise<Document> {
    const request = manifestRequest(image);
    const response = await this.#expect([200], image, request);
    const type = response.header('content-type')?.split(';')[0]?.trim().toLowerCase();
    const announced = response.header('docker-content-digest') ?? '';
    const bytes = await documentBytes(response, request.what);
    const digest = digestOf(bytes);
    const wanted = image.digest ?? (isDigest(announced) ? announced : digest);
    if (digest !== wanted) {
      throw new LandfallError(
        'BLOB_DIGEST',
        `${this.host} sent wrong content for ${request.what}`,
        {
          hint: 'Try again, or configure a mirror; a filter or a broken cache changed the content.',
          problems: [{ message: `expected ${wanted}, received ${digest}` }],
        },
      );
    }
    const { mediaType } = readDocument(bytes, type, request.what);
    return { bytes, descriptor: { mediaType, digest, size: bytes.length } };
  }

  /**
   * Opens a manifest or a blob of known digest, for a downloader that verifies it.
   * @param from the first byte to send; the response has status 200, 206 or 416
   * @throws LandfallError IMAGE_NOT_FOUND, REGISTRY_…, HTTP_…, NETWORK_…
   */
  open(
    kind: 'manifests' | 'blobs',
    image: ImageReference,
    { digest, mediaType, size }: Descriptor,
    from: number,
  ): Promise<HttpResponse> {
    const accept = kind === 'manifests' ? { accept: mediaType } : {};
    return this.#expect([200, 206, 416], image, {
      path: `${kind}/${digest}`,
      what: `${digest.slice(0, 19)} of ${familiar(image)}`,
      headers: { ...accept, ...rangeFrom(from) },
      expectedBytes: Math.max(size - from, 0),
    });
  }

  async #expect(
    statuses: readonly number[],
    image: ImageReference,
    request: EndpointRequest,
  ): Promise<HttpResponse> {
    const response = await this.#exchange(image, request);
    if (!statuses.includes(response.status)) {
      const { host, credentials, base } = this.#parts;
      const loggedIn = (await credentials.for(host).catch(() => undefined)) !== undefined;
      throw await refusalFor(response, { ...request, host, loggedIn, origin: base.origin });
    }
    if (!isHtml(response)) return response;
    await response.discard();
    throw htmlError(this.host);
  }

  /** Sends a request, and authenticates at most once when challenged. */
  async #exchange({ repository }: ImageReference, asked: EndpointRequest): Promise<HttpResponse> {
    const { http, base, prefix } = this.#parts;
    const scope = `repository:${prefix}${repository}:pull`;
    const url = new URL(`/v2/${prefix}${repository}/${asked.path}`, base);
    const { method, headers, expectedBytes } = asked;
    const request = { url, method, headers, expectedBytes };
    const authorization = await this.#authenticator.known(scope);
    const response = await http.send({ ...request, authorization });
    if (response.status !== 401 || response.url.origin !== base.origin) return response;
    await response.discard();
    const demand = response.header('www-authenticate');
    const fresh = await this.#authenticator.answer(demand, scope, authorization);
    return http.send({ ...request, authorization: fresh });
  }
}

function manifestRequest(image: ImageReference): EndpointRequest {
  return {
    path: `manifests/${image.digest ?? image.tag}`,
    what: familiar(image),
    headers: { accept: acceptedManifests },
  };
}

async function documentBytes(response: HttpResponse, what: string): Promise<Buffer> {
  try {
    return await response.bytes(maxDocumentBytes);
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'BLOB_SIZE') throw tooLarge(what);
    throw error;
  }
}
