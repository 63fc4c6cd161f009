import { createHash, randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';

/** The repository of the hub and its only file. */
export const repository = 'landfall/tiny';
export const fileName = 'model.bin';
const commit = '1'.repeat(40);

/**
 * A model hub with one file, as `hf download` uses it. It cuts the first download in half and then
 * serves ranges. `downloads` has the range of each download.
 */
export class ModelHub {
  /** hf stores and resumes blocks of 10 MB. */
  readonly bytes = randomBytes(48_000_000);
  readonly sha256 = createHash('sha256').update(this.bytes).digest('hex');
  readonly downloads: string[] = [];

  readonly answer: RequestListener = (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://hub');
    const facts = this.#facts(pathname);
    if (facts) {
      const type = { 'content-type': 'application/json' };
      return response.writeHead(200, type).end(JSON.stringify(facts));
    }
    const isFile = [commit, 'main'].some(
      (revision) => pathname === `/${repository}/resolve/${revision}/${fileName}`,
    );
    if (!isFile) return response.writeHead(404).end();
    const { range = '' } = request.headers;
    const start = Number(/^bytes=(\d+)-/.exec(range)?.[1] ?? 0);
    const headers = {
      ...{ etag: `"${this.sha256}"`, 'x-repo-commit': commit, 'accept-ranges': 'bytes' },
      'content-length': this.bytes.length - start,
      ...(start === 0
        ? {}
        : { 'content-range': `bytes ${start}-${this.bytes.length - 1}/${this.bytes.length}` }),
    };
    response.writeHead(start === 0 ? 200 : 206, headers);
    if (request.method === 'HEAD') return response.end();
    this.downloads.push(range);
    if (this.downloads.length > 1) return response.end(this.bytes.subarray(start));
    const half = this.bytes.subarray(0, this.bytes.length / 2);
    return response.write(half, () => response.destroy());
  };

  /** The revision of the repository, and its list of files. */
  #facts(pathname: string): object | undefined {
    const api = `/api/models/${repository}`;
    if (pathname === `${api}/revision/main`) {
      const siblings = [{ rfilename: fileName }];
      return { _id: '1', id: repository, modelId: repository, sha: commit, siblings };
    }
    const size = this.bytes.length;
    const file = { type: 'file', oid: commit, size, path: fileName };
    return pathname === `${api}/tree/${commit}` ? [file] : undefined;
  }
}
