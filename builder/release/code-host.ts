import { createReadStream } from 'node:fs';
import type { Octokit } from '@octokit/rest';
import { LandfallError } from '#contract/errors.ts';
import { Dispatchers } from '#http/dispatchers.ts';
import { type RetryOptions, withRetry } from '#http/retry.ts';
import { TransferError } from '#http/transfer-error.ts';
import { sha256OfFile } from '../files/sha256-of-file.ts';
import { downloadAsset } from './download-asset.ts';
import type { LocalFile } from './local-file.ts';
import {
  type ApiAccess,
  type Asset,
  contentOf,
  type HostedRelease,
  octokitFor,
  uploadUrl,
} from './octokit.ts';

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

/** The most that one page can have. */
const perPage = 100;

/**
 * The releases of a repository, through GitHub's API (docs.github.com/rest/releases). Only drafts are
 * changed: a published release never changes.
 */
export class CodeHost {
  readonly #access: CodeHostAccess;
  readonly #dispatchers: Dispatchers;
  readonly #octokit: Octokit;
  readonly #repository: { readonly owner: string; readonly repo: string };

  constructor(access: CodeHostAccess) {
    const [owner = '', repo = ''] = access.repository.split('/');
    this.#access = access;
    this.#repository = { owner, repo };
    this.#dispatchers = new Dispatchers({ env: access.env });
    this.#octokit = octokitFor(access, this.#dispatchers);
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
    return await this.#retried(`the draft ${tag}`, async () => {
      // A lost response may have created it.
      const existing = await this.#searchDraft(tag);
      if (existing) return existing;
      const { data } = await this.#repos.createRelease({
        ...this.#repository,
        tag_name: tag,
        name: tag,
        draft: true,
        ...(commit === undefined ? {} : { target_commitish: commit }),
        ...(notes === undefined ? {} : { body: notes }),
      });
      return data;
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
    const digest = `sha256:${await sha256OfFile(file.path)}`;
    return await this.#retried(file.name, async () => {
      const existing = (await this.#listAssets(release)).find(({ name }) => name === file.name);
      if (existing && isSame(existing, file, digest)) return false;
      if (existing) await this.#remove(existing);
      const url = uploadUrl(release, this.#access.api, file.name).href;
      const { data: stored } = await this.#octokit.request<Asset>({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/octet-stream', 'content-length': file.size },
        data: createReadStream(file.path),
      });
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
    const request = async () => {
      const { data, url } = await this.#repos.getReleaseAsset({
        ...this.#repository,
        asset_id: asset.id,
        headers: { accept: 'application/octet-stream' },
        request: { parseSuccessResponseBody: false },
      });
      // The API redirects to object storage; fetch sends it no token.
      return contentOf(data as unknown as AsyncIterable<Uint8Array>, new URL(url));
    };
    await this.#retried(asset.name, () => downloadAsset(request, asset, folder));
  }

  /** Publishes a draft release. @param isLatest whether the repository shows it as the latest one */
  async publish({ id, tag_name }: HostedRelease, isLatest: boolean): Promise<HostedRelease> {
    return await this.#retried(`the release ${tag_name}`, async () => {
      const changes = { draft: false, make_latest: isLatest ? 'true' : 'false' } as const;
      const release = { ...this.#repository, release_id: id };
      return (await this.#repos.updateRelease({ ...release, ...changes })).data;
    });
  }

  /** Sets the notes of a draft release. @param notes Markdown; too long ones are shortened */
  async describe({ id, tag_name }: HostedRelease, notes: string): Promise<void> {
    const release = { ...this.#repository, release_id: id };
    await this.#retried(`the notes of ${tag_name}`, () =>
      this.#repos.updateRelease({ ...release, body: shortenedNotes(notes) }),
    );
  }

  /** Closes all connections. */
  close(): Promise<void> {
    return this.#dispatchers.close();
  }

  async #searchDraft(tag: string): Promise<HostedRelease | undefined> {
    // The search by tag finds published releases only.
    const options = { ...this.#repository, per_page: perPage };
    const all = await this.#octokit.paginate(this.#repos.listReleases, options);
    const named = all.filter(({ tag_name }) => tag_name === tag);
    const published = named.find(({ draft }) => !draft);
    if (!published) return named.sort((one, other) => one.id - other.id)[0];
    throw new LandfallError('FILE_EXISTS', `the release ${tag} is already published`, {
      hint: 'Use a new version: a published release never changes.',
    });
  }

  #listAssets({ id }: HostedRelease): Promise<Asset[]> {
    const options = { ...this.#repository, release_id: id, per_page: perPage };
    return this.#octokit.paginate(this.#repos.listReleaseAssets, options);
  }

  async #remove({ id }: Asset): Promise<void> {
    await this.#repos.deleteReleaseAsset({ ...this.#repository, asset_id: id });
  }

  get #repos(): Octokit['rest']['repos'] {
    return this.#octokit.rest.repos;
  }

  #retried<T>(what: string, attempt: () => Promise<T>): Promise<T> {
    return withRetry(what, attempt, this.#access.retry);
  }
}

/** Returns whether an uploaded file is complete and has the bytes of a local file. */
function isSame(asset: Asset, { size }: LocalFile, digest: string): boolean {
  return asset.state === 'uploaded' && asset.size === size && asset.digest === digest;
}

/** The code host rejects longer notes. Characters. */
const maxNotes = 125_000;
const more = '\n\nThe rest is in notes.md.\n';

/** Returns notes that the code host accepts: the whole lines that fit. */
function shortenedNotes(notes: string): string {
  if (notes.length <= maxNotes) return notes;
  const kept = notes.slice(0, maxNotes - more.length);
  return kept.slice(0, kept.lastIndexOf('\n')) + more;
}

const repositoryPattern = /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}$/;
const defaultApi = 'https://api.github.com';

/**
 * Reads the access to the code host from GITHUB_API_URL, GITHUB_REPOSITORY and GITHUB_TOKEN, which a
 * workflow has. The token is accepted from the environment only, because arguments are visible to
 * other users.
 * @throws LandfallError USAGE for a missing or invalid variable
 */
export function codeHostAccess(env: NodeJS.ProcessEnv): CodeHostAccess {
  const { GITHUB_API_URL: api = defaultApi, GITHUB_REPOSITORY: repository = '' } = env;
  const { GITHUB_TOKEN: token = '' } = env;
  if (!repositoryPattern.test(repository)) {
    throw missing('GITHUB_REPOSITORY', 'Set it to owner/name.');
  }
  // A line break would end the header.
  if (!/^[\x21-\x7e]{1,4096}$/.test(token)) {
    throw missing('GITHUB_TOKEN', 'Set it to a token with the permission contents:write.');
  }
  const url = URL.canParse(api) ? new URL(api) : undefined;
  const isLoopback = url?.protocol === 'http:' && url.hostname === '127.0.0.1';
  if (!url || (url.protocol !== 'https:' && !isLoopback)) {
    throw missing('GITHUB_API_URL', `Set it to an https URL, such as ${defaultApi}.`);
  }
  return { api: url, repository, token, env };
}

function missing(variable: string, hint: string): LandfallError {
  return new LandfallError('USAGE', `the environment variable ${variable} is missing or invalid`, {
    hint,
  });
}
