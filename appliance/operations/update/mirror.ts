import { channelFile, channelSignatureFile, maxChannelBytes } from '#contract/channel/channel.ts';
import { type VerifiedChannel, verifyChannel } from '#contract/channel/newest.ts';
import { LandfallError } from '#contract/errors.ts';
import type { TrustAnchor } from '#contract/trust/anchor.ts';
import { maxSignatureBytes } from '#contract/trust/keys.ts';
import { maxRotationBytes } from '#contract/trust/rotation.ts';
import type { HttpClient } from '#http/client.ts';
import { statusError } from '#http/status.ts';
import { TransferError } from '#http/transfer-error.ts';

/** Milliseconds for one file of a mirror. */
const timeout = 60_000;

/** A document with its signature, as downloaded. */
interface SignedFile {
  readonly bytes: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * A folder with a channel on a web server. URLs of bundles and of rotations are relative to the folder
 * above it.
 */
export class Mirror {
  readonly folder: URL;
  readonly #client: HttpClient;

  /** @param url the folder of the channel, with or without a slash at its end */
  constructor(client: HttpClient, url: string) {
    this.#client = client;
    this.folder = folderUrl(url);
  }

  /**
   * Returns the channel of this mirror, with its signature verified.
   * @throws LandfallError CHANNEL_…, NETWORK_…, HTTP_STATUS, BLOB_SIZE
   */
  async channel(anchor: TrustAnchor, product: string): Promise<VerifiedChannel> {
    try {
      return verifyChannel(await this.#readChannel(), anchor, product);
    } catch (error) {
      if (!(error instanceof LandfallError) || error.code !== 'CHANNEL_UNTRUSTED') throw error;
      // A publication between the two requests: one file is old, the other new.
      return verifyChannel(await this.#readChannel(), anchor, product);
    }
  }

  /**
   * Returns a rotation of the keys; undefined if the mirror has none with this number.
   * @throws LandfallError NETWORK_…, HTTP_STATUS, BLOB_SIZE
   */
  async rotation(number: number): Promise<SignedFile | undefined> {
    const url = this.#urlOf(`trust/${number}.json`);
    const bytes = await this.#readIfPresent(url, maxRotationBytes);
    if (!bytes) return undefined;
    return { bytes, signature: await this.#read(new URL(`${url.href}.sig`), maxSignatureBytes) };
  }

  /**
   * Returns a file of a release.
   * @param path relative to the folder above the channel
   * @throws LandfallError NETWORK_…, HTTP_STATUS, BLOB_SIZE
   */
  read(path: string, maxBytes: number): Promise<Uint8Array> {
    return this.#read(this.#urlOf(path), maxBytes);
  }

  #urlOf(path: string): URL {
    return new URL(`../${path}`, this.folder);
  }

  async #readChannel(): Promise<SignedFile> {
    // The signature first: it is replaced last.
    const signature = await this.#read(
      new URL(channelSignatureFile, this.folder),
      maxSignatureBytes,
    );
    const bytes = await this.#read(new URL(channelFile, this.folder), maxChannelBytes);
    return { bytes, signature };
  }

  async #read(url: URL, maxBytes: number): Promise<Uint8Array> {
    const bytes = await this.#readIfPresent(url, maxBytes);
    if (bytes) return bytes;
    throw new TransferError(
      'HTTP_STATUS',
      `reading ${nameOf(url)} failed: ${url.host} does not have it`,
      {
        hint: 'Check the URL of the channel.',
        transient: false,
      },
    );
  }

  async #readIfPresent(url: URL, maxBytes: number): Promise<Uint8Array | undefined> {
    const response = await this.#client.send({ url, timeout });
    if (response.status === 404 || response.status === 410) return undefined;
    if (response.status !== 200) throw statusError(response, `reading ${nameOf(url)}`);
    return await response.bytes(maxBytes);
  }
}

/** Returns the folder of a channel, with a slash at its end. */
export function folderUrl(channel: string): URL {
  return new URL(channel.endsWith('/') ? channel : `${channel}/`);
}

function nameOf(url: URL): string {
  return url.pathname.split('/').slice(-2).join('/');
}

/** A release to install: a channel offers it, or the administrator names its bundle. */
export interface NextRelease {
  readonly version: string;
  /** SHA-256 of its release.json, 64 hex digits. */
  readonly manifest: string;
  /** Components whose image is another one; null if unknown. */
  readonly components: readonly string[] | null;
  /** Bytes that it takes on the disk at most; null if unknown. */
  readonly disk: number | null;
  readonly bundle: BundleLocation;
}

/** Where a bundle is: on web servers, or in a file on this server. */
export type BundleLocation =
  | {
      readonly urls: readonly URL[];
      /** Size of the parts of the bundle in bytes; null: one file. */
      readonly part: number | null;
    }
  | {
      /** Absolute path of the bundle or of its first part. */
      readonly file: string;
    };
