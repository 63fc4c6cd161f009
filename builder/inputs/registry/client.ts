import { isNetworkError, LandfallError, type Problem } from '#contract/errors.ts';
import type { Digest } from '#contract/trust/digest.ts';
import type { HttpClient } from '#http/client.ts';
import { type RetryOptions, withRetry } from '#http/retry.ts';
import type { Reporter } from '../../base/progress/reporter.ts';
import type { Descriptor } from '../blobs/blob.ts';
import type { Downloader } from '../blobs/download.ts';
import type { CredentialStore } from './credentials.ts';
import { type Document, readDocument } from './document.ts';
import type { DocumentCache } from './document-cache.ts';
import { Endpoint } from './endpoint.ts';
import { mirrorAddress, registryAddress } from './mirrors.ts';
import { familiar, type ImageReference } from './reference.ts';

export interface RegistryParts {
  readonly http: HttpClient;
  readonly credentials: CredentialStore;
  readonly documents: DocumentCache;
  readonly downloader: Downloader;
  readonly reporter: Reporter;
  /** Waits between attempts; replaced in tests. */
  readonly sleep?: RetryOptions['sleep'];
}

/** A mirror gets fewer attempts, because the registry is the fallback. */
const mirrorAttempts = 2;

/** Failures of this machine, which another mirror would not fix. */
const ownFailures = ['DISK_FULL', 'FILE_ACCESS', 'STORE_BUSY'];

/**
 * One registry with its mirrors, which are tried in order with the registry last. Any failure of
 * a mirror leads to the next one. Content with a digest is verified, whatever its source. A tag is
 * trusted from the first source that resolves it, which is why tags are locked.
 */
export class RegistryClient {
  readonly #mirrors: readonly Endpoint[];
  readonly #registry: Endpoint;
  readonly #parts: RegistryParts;
  readonly #down = new Set<Endpoint>();
  readonly #noted = new Set<string>();

  /** @throws LandfallError CONFIG_INVALID for a mirror without an https URL */
  constructor(registry: string, mirrors: readonly string[], parts: RegistryParts) {
    const { http, credentials } = parts;
    this.#parts = parts;
    this.#registry = new Endpoint({ ...registryAddress(registry), http, credentials });
    this.#mirrors = mirrors.map(
      (mirror) => new Endpoint({ ...mirrorAddress(mirror, registry), http, credentials }),
    );
  }

  /**
   * Returns the index or manifest of a reference, from the store if it is there.
   * @throws LandfallError IMAGE_NOT_FOUND, IMAGE_MANIFEST, BLOB_DIGEST, REGISTRY_…, HTTP_…,
   * NETWORK_…
   */
  async document(image: ImageReference): Promise<Document> {
    return (
      (await this.#recall(image)) ??
      this.#ask(
        image,
        async (endpoint) => (await this.#recallTag(endpoint, image)) ?? endpoint.manifest(image),
      )
    );
  }

  /**
   * Returns the document of a tag if it still has this digest: for registries that serve documents
   * by tag only. Skips a mirror that has a different document.
   * @throws LandfallError LOCK_DRIFT, and the errors of `document`
   */
  async documentBehindTag(image: ImageReference, digest: Digest): Promise<Document> {
    return (
      (await this.#recall({ ...image, digest })) ??
      this.#ask(image, async (endpoint) =>
        refuseOther(await endpoint.manifest(image), digest, endpoint.host),
      )
    );
  }

  /** Requests a document from the mirrors and the registry, with retries, and stores it. */
  async #ask(
    image: ImageReference,
    request: (endpoint: Endpoint) => Promise<Document>,
  ): Promise<Document> {
    const { documents, reporter, sleep } = this.#parts;
    const document = await this.#anywhere((endpoint, attempts) =>
      withRetry(
        `fetching the manifest of ${familiar(image)} from ${endpoint.host}`,
        () => request(endpoint),
        { attempts, sleep, note: (line) => reporter.note(line) },
      ),
    );
    await documents.keep(document);
    return document;
  }

  /**
   * Ensures that a manifest, a configuration or a layer of an image is in the store.
   * @throws LandfallError BLOB_DIGEST, BLOB_SIZE and the errors of `document`
   * @throws the abort reason of the signal
   */
  async fetch(
    kind: 'manifests' | 'blobs',
    image: ImageReference,
    descriptor: Descriptor,
    signal?: AbortSignal,
  ): Promise<void> {
    const label = `${familiar({ ...image, digest: undefined })} ${descriptor.digest.slice(7, 19)}`;
    await this.#anywhere((endpoint) =>
      this.#parts.downloader.fetch(
        {
          descriptor,
          label,
          host: endpoint.host,
          open: (from) => endpoint.open(kind, image, descriptor, from),
        },
        signal,
      ),
    );
  }

  /**
   * Fetches a document like `fetch` and returns its bytes.
   * @throws LandfallError as `fetch` does; BLOB_DIGEST when the copy in the store is damaged
   */
  async fetchDocument(
    kind: 'manifests' | 'blobs',
    image: ImageReference,
    descriptor: Descriptor,
  ): Promise<Document> {
    const fetch = () => this.fetch(kind, image, descriptor);
    return await this.#parts.documents.fetched(descriptor, familiar(image), fetch);
  }

  async #recall(image: ImageReference): Promise<Document | undefined> {
    const { digest } = image;
    const bytes = digest && (await this.#parts.documents.recall(digest));
    if (!bytes) return undefined;
    const { mediaType } = readDocument(bytes, undefined, familiar(image));
    return { bytes, descriptor: { mediaType, digest, size: bytes.length } };
  }

  async #recallTag(endpoint: Endpoint, image: ImageReference): Promise<Document | undefined> {
    if (image.digest) return undefined;
    return this.#recall({ ...image, digest: await endpoint.digestOfTag(image) });
  }

  async #anywhere<T>(ask: (endpoint: Endpoint, attempts?: number) => Promise<T>): Promise<T> {
    const failures: MirrorFailure[] = [];
    for (const mirror of this.#mirrors) {
      if (this.#down.has(mirror)) continue;
      try {
        return await ask(mirror, mirrorAttempts);
      } catch (error) {
        if (!(error instanceof LandfallError) || ownFailures.includes(error.code)) throw error;
        failures.push({ host: mirror.host, error });
        this.#passOver(mirror, error);
      }
    }
    try {
      return await ask(this.#registry);
    } catch (error) {
      throw withMirrors(error, failures, this.#registry.host);
    }
  }

  /** Reports a mirror's failure once, and skips an unreachable mirror from then on. */
  #passOver(mirror: Endpoint, error: LandfallError): void {
    const { message } = error;
    const isDown = isNetworkError(error);
    if (isDown) this.#down.add(mirror);
    const note = isDown
      ? `mirror ${mirror.host} is unreachable and will not be used: ${message}`
      : `mirror ${mirror.host} failed, trying the next source: ${message}`;
    if (this.#noted.has(note)) return;
    this.#noted.add(note);
    this.#parts.reporter.note(note);
  }
}

function refuseOther(document: Document, wanted: Digest, host: string): Document {
  const { digest } = document.descriptor;
  if (digest === wanted) return document;
  throw new LandfallError('LOCK_DRIFT', `the image on ${host} differs from the locked one`, {
    hint: 'Run `landfall lock --update` to lock the new image.',
    problems: [{ message: `locked ${wanted}, found ${digest}` }],
  });
}

/** Why a mirror was skipped. */
interface MirrorFailure {
  readonly host: string;
  readonly error: LandfallError;
}

/** Adds the failures of the mirrors to the error of the registry. */
function withMirrors(error: unknown, failures: readonly MirrorFailure[], host: string): unknown {
  if (!(error instanceof LandfallError) || failures.length === 0) return error;
  const { code, message, hint, problems, retriable } = error;
  const told = failures.map(
    (each): Problem => ({
      message: `mirror ${each.host}: ${each.error.message}`,
      hint: each.error.hint,
    }),
  );
  const absent = failures.find((each) => each.error.code === 'IMAGE_NOT_FOUND');
  // The user can act on the mirror's response.
  if (absent && isNetworkError(error)) {
    const lacking = `mirror ${absent.error.message}, and ${host} is unreachable`;
    return new LandfallError('IMAGE_NOT_FOUND', lacking, {
      hint: 'Check the name and the tag, or set a mirror that has the image with --mirror.',
      problems: [{ message, hint }, ...problems, ...told],
      cause: error,
    });
  }
  return new LandfallError(code, message, {
    hint,
    problems: [...problems, ...told],
    retriable,
    cause: error,
  });
}
