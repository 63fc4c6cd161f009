import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join, normalize } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A plain web server for downloads: serves the files of a folder, with range requests. */
export function webServer(folder: string): Server {
  return createServer((request, response) => {
    answer(folder, request, response).catch(() => response.destroy());
  });
}

async function answer(folder: string, request: IncomingMessage, response: ServerResponse) {
  const { pathname } = new URL(request.url ?? '/', 'http://web');
  const file = join(folder, normalize(decodeURIComponent(pathname)));
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return void response.writeHead(404).end();
  const start = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (start >= found.size) return void response.writeHead(416).end();
  const headers = { 'accept-ranges': 'bytes', 'content-length': found.size - start };
  if (start === 0) response.writeHead(200, headers);
  else {
    const range = `bytes ${start}-${found.size - 1}/${found.size}`;
    response.writeHead(206, { ...headers, 'content-range': range });
  }
  if (request.method === 'HEAD') return void response.end();
  return await pipeline(createReadStream(file, { start }), response);
}
