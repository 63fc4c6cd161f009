import { open } from 'node:fs/promises';
import { LandfallError } from '#contract/errors.ts';
import { type RetryOptions, withRetry } from '#http/retry.ts';
import type { Transfer } from '../../../../base/progress/reporter.ts';
import { contentType } from '../../file-meanings.ts';
import type { HashedFile } from '../../hashed-file.ts';
import type { Destination } from '../destination.ts';
import { minPart, type ObjectUpload, readPart, uploadInParts } from './multipart.ts';
import { type S3Client, textOf } from './s3-client.ts';

/** Metadata with the SHA-256, because the ETag of an upload in parts is no digest of its content. */
const digestHeader = 'x-amz-meta-sha256';

/** A folder in a bucket: objects with a common prefix. */
export class BucketFolder implements Destination {
  readonly #client: S3Client;
  readonly #prefix: string;
  readonly #retry: RetryOptions;

  /** @param prefix without a slash at its start and end; may be empty */
  constructor(client: S3Client, prefix: string, retry: RetryOptions = {}) {
    this.#client = client;
    this.#prefix = prefix;
    this.#retry = retry;
  }

  async has({ name, size, sha256 }: HashedFile): Promise<boolean> {
    const key = this.#keyOf(name);
    const head = () => this.#client.send({ method: 'HEAD', key }, [301, 307, 400, 403, 404]);
    const { status, header } = await withRetry(key, head, this.#retry);
    if (status === 404) return false;
    if (status !== 200) return await this.#expectMissing(key);
    return Number(header('content-length')) === size && header(digestHeader) === sha256;
  }

  /**
   * The response to HEAD has no error code, so the object is requested again. Keys that cannot list the
   * bucket get AccessDenied for a missing object.
   */
  async #expectMissing(key: string): Promise<false> {
    const request = { method: 'GET', key, headers: { range: 'bytes=0-0' } } as const;
    const { text } = await this.#client.send(request, [403]);
    if (textOf(text, 'Code') !== 'AccessDenied') await this.#client.send(request);
    return false;
  }

  async put(file: HashedFile, transfer: Transfer): Promise<void> {
    const upload = {
      client: this.#client,
      key: this.#keyOf(file.name),
      headers: { 'content-type': contentType(file.name), [digestHeader]: file.sha256 },
      ...{ file, transfer, retry: this.#retry },
    };
    if (file.size <= minPart) await uploadWhole(upload);
    else await uploadInParts(upload);
    if (await this.has(file)) return;
    if (file.size > minPart) await uploadInParts(upload, true);
    if (await this.has(file)) return;
    throw new LandfallError('UPLOAD_REFUSED', `${upload.key} was not stored as sent`, {
      hint: 'Run the command again.',
      retriable: true,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
  }

  #keyOf(name: string): string {
    return this.#prefix === '' ? name : `${this.#prefix}/${name}`;
  }
}

async function uploadWhole({ client, key, headers, file, transfer, retry }: ObjectUpload) {
  await using handle = await open(file.path, 'r');
  const body = await readPart(handle, file, 0, Buffer.alloc(file.size));
  await withRetry(key, () => client.send({ method: 'PUT', key, headers, body }), retry);
  transfer.advance(file.size);
}
