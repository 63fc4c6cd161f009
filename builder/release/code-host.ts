import { createReadStream } from 'node:fs';
import type { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { type RetryOptions, withRetry } from '#http/retry.ts';
import { TransferError } from '#http/transfer-error.ts';
import { type ApiAccess, ApiClient } from './api/api-client.ts';
import { type Asset, type HostedRelease, messages } from './api/messages.ts';
import { downloadAsset } from './download-asset.ts';
import { digestOfFile, type LocalFile } from './local-file.ts';
import { shortenedNotes } from './shortened-notes.ts';
import { uploadUrl } from './upload-url.ts';

/** Access to one repository of a code host. */
export interface CodeHostAccess extends ApiAccess {
  /** `owner/name`. */
  readonly repository: string;
  /** How to retry transient failures. */
  readonly retry?: RetryOptions | undefined;
}

interface NewDraft {
  readonly tag: string;
  /** Commit of a tag that does not exist yet. */
  readonly commit?: string | undefined;
  /** Markdown. */
  readonly notes?: string | undefined;
}

const perPage = 100;
/** Releases and assets beyond this number are an error, not a longer search. */
const maxPages = 20;

/**
 * The releases of a repository, through GitHub's API (docs.github.com/rest/releases). Only drafts are
 * changed: a published release never changes.
 */
export class CodeHost {
  readonly #client: ApiClient;
  readonly #access: CodeHostAccess;

  constructor(access: CodeHostAccess) {
    this.#access = access;
    this.#client = new ApiClient(access);
  }

  /**
   * Returns the draft release of a tag. If there are several, it is the oldest one, for every caller.
   * @throws LandfallError FILE_MISSING without a draft, FILE_EXISTS when the release is published
   */
  async findDraft(tag: string): Promise<HostedRelease> {
    const draft = await this.#retried('the releases', () => this.#searchDraft(tag));
    if (draft) return draft;
    throw new LandfallError('FILE_MISSING', `there is no draft release ${tag}`, {
      hint: `Create it with \`npm run draft -- create ${tag}\`, and use a token with the permission contents:write.`,
    });
  }

  /**
   * Returns the draft release of a tag; creates it if there is none.
   * @throws LandfallError FILE_EXISTS when the release is published
   */
  async findOrCreateDraft({ tag, commit, notes }: NewDraft): Promise<HostedRelease> {
    const json = {
      tag_name: tag,
      name: tag,
      draft: true,
      ...(commit === undefined ? {} : { target_commitish: commit }),
      ...(notes === undefined ? {} : { body: notes }),
    };
    const url = this.#url('/releases');
    return await this.#retried(`the draft ${tag}`, async () => {
      // A lost response may have created it.
      const existing = await this.#searchDraft(tag);
      return existing ?? (await this.#client.send({ method: 'POST', url, json }, messages.release));
    });
  }

  /** Returns the files of a release, unfinished uploads included. */
  async assets(release: HostedRelease): Promise<Asset[]> {
    return await this.#retried('the files', () => this.#listAssets(release));
  }

  /**
   * Uploads a file from disk. Keeps an identical file, and replaces an unfinished or different one.
   * After each failure the list of files is read again, because the upload may have succeeded.
   * @returns whether the file was sent
   * @throws LandfallError BLOB_DIGEST when the code host stored other bytes
   */
  async upload(release: HostedRelease, file: LocalFile): Promise<boolean> {
    const digest = await digestOfFile(file.path);
    return await this.#retried(file.name, async () => {
      const existing = (await this.#listAssets(release)).find(({ name }) => name === file.name);
      if (existing && isSame(existing, file, digest)) return false;
      if (existing) await this.#remove(existing);
      const url = uploadUrl(release, this.#access.api, file.name);
      const content = createReadStream(file.path);
      const request = { method: 'POST', url, file: { content, size: file.size } } as const;
      const stored = await this.#client.send(request, messages.asset);
      // Older servers send no digest.
      if (isSame({ ...stored, digest: stored.digest ?? digest }, file, digest)) return true;
      throw new TransferError('BLOB_DIGEST', `${file.name} was not stored as sent`, {
        hint: 'Run the command again.',
        transient: true,
      });
    });
  }

  /** Downloads a file of a release into a folder, and verifies its size and digest. */
  async download(asset: Asset, folder: string): Promise<void> {
    const url = this.#url(`/releases/assets/${asset.id}`);
    await this.#retried(asset.name, () =>
      downloadAsset(() => this.#client.download(url), asset, folder),
    );
  }

  /** Publishes a draft release. @param isLatest whether the repository shows it as the latest one */
  async publish({ id, tag_name }: HostedRelease, isLatest: boolean): Promise<HostedRelease> {
    const json = { draft: false, make_latest: `${isLatest}` };
    const url = this.#url(`/releases/${id}`);
    return await this.#retried(`the release ${tag_name}`, () =>
      this.#client.send({ method: 'PATCH', url, json }, messages.release),
    );
  }

  /** Sets the notes of a draft release. @param notes Markdown; too long ones are shortened */
  async describe({ id, tag_name }: HostedRelease, notes: string): Promise<void> {
    const json = { body: shortenedNotes(notes) };
    const url = this.#url(`/releases/${id}`);
    await this.#retried(`the notes of ${tag_name}`, () =>
      this.#client.send({ method: 'PATCH', url, json }, messages.release),
    );
  }

  /** Closes all connections. */
  close(): Promise<void> {
    return this.#client.close();
  }

  async #searchDraft(tag: string): Promise<HostedRelease | undefined> {
    // The search by tag finds published releases only.
    const all = await this.#pages('/releases', messages.releases);
    const named = all.filter(({ tag_name }) => tag_name === tag);
    const published = named.find(({ draft }) => !draft);
    if (!published) return named.sort((one, other) => one.id - other.id)[0];
    throw new LandfallError('FILE_EXISTS', `the release ${tag} is already published`, {
      hint: 'Use a new version: a published release never changes.',
    });
  }

  #listAssets({ id }: HostedRelease): Promise<Asset[]> {
    return this.#pages(`/releases/${id}/assets`, messages.assets);
  }

  async #remove({ id }: Asset): Promise<void> {
    await this.#client.sendOnly({ method: 'DELETE', url: this.#url(`/releases/assets/${id}`) });
  }

  async #pages<T>(path: string, schema: z.ZodType<T[]>): Promise<T[]> {
    const all: T[] = [];
    for (let page = 1; page <= maxPages; page += 1) {
      const url = this.#url(`${path}?per_page=${perPage}&page=${page}`);
      const found = await this.#client.send({ method: 'GET', url }, schema);
      all.push(...found);
      if (found.length < perPage) return all;
    }
    throw new LandfallError('HTTP_STATUS', `${path} has more than ${maxPages * perPage} entries`, {
      hint: 'Delete old draft releases.',
    });
  }

  #url(path: string): URL {
    return this.#client.url(`/repos/${this.#access.repository}${path}`);
  }

  #retried<T>(what: string, attempt: () => Promise<T>): Promise<T> {
    return withRetry(what, attempt, this.#access.retry);
  }
}

/** Returns whether an uploaded file is complete and has the bytes of a local file. */
function isSame(asset: Asset, { size }: LocalFile, digest: string): boolean {
  return asset.state === 'uploaded' && asset.size === size && asset.digest === digest;
}
