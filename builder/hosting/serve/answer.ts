import { lstat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import send from 'send';
import type { HashedFile } from '../hashed-file.ts';
import { indexPage } from '../index-page.ts';
import type { DownloadLog } from './download-log.ts';

/** What a server offers. */
export interface Offer {
  readonly files: readonly HashedFile[];
  readonly log: DownloadLog;
}

/**
 * Answers a request for a file or the index. Only names of the offer are looked up, so no part of a
 * request becomes a path. A file that changed since it was hashed is not served.
 */
export async function answer(
  { files, log }: Offer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('x-content-type-options', 'nosniff');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return refuse(response, 405, 'Only GET and HEAD are supported.');
  }
  const name = nameIn(request.url);
  if (name === '') return sendIndex(files, response);
  const file = files.find((each) => each.name === name);
  if (!file) return refuse(response, 404, 'There is no such file.');
  if (await isUnchanged(file)) return sendFile(file, log, request, response);
  log.note(`${file.name} changed on disk and is not served: start the command again`);
  refuse(response, 404, 'The file has changed since the server was started.');
}

/** Returns the name in a path, or in the URL of a request to a proxy; undefined for an invalid one. */
function nameIn(url = ''): string | undefined {
  const [, encoded] = /^(?:https?:\/\/[^/]*)?\/([^?#]*)/.exec(url) ?? [];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

async function isUnchanged({ path, size, modified }: HashedFile): Promise<boolean> {
  const now = await lstat(path).catch(() => undefined);
  return now?.isFile() === true && now.size === size && now.mtimeMs === modified;
}

function sendFile(
  { name, path, sha256 }: HashedFile,
  log: DownloadLog,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  // Strong, so that If-Range resumes only a download of the same bytes.
  response.setHeader('etag', `"${sha256}"`);
  response.setHeader('content-type', contentType(name));
  const options = { root: dirname(path), index: false, cacheControl: false } as const;
  send(request, `/${encodeURIComponent(name)}`, options)
    .on('stream', (stream) => log.follow(name, request, response, stream))
    .on('error', ({ status = 500 }) => {
      response.removeHeader('etag');
      refuse(response, status, 'The range or the condition cannot be satisfied.');
    })
    .pipe(response);
}

function contentType(name: string): string {
  if (name.endsWith('.json')) return 'application/json';
  if (name.endsWith('.html')) return 'text/html; charset=utf-8';
  return isText(name) ? 'text/plain; charset=utf-8' : 'application/octet-stream';
}

function isText(name: string): boolean {
  return /(?:^SHA256SUMS|\.md|\.pub)$/.test(name);
}

function sendIndex(files: readonly HashedFile[], response: ServerResponse): void {
  const page = Buffer.from(indexPage('Files of the release', files));
  response.setHeader('content-security-policy', "default-src 'none'");
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': page.length,
  });
  response.end(page);
}

function refuse(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
