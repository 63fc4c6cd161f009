import { open } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { rejectPipelining } from '#http/pipelining.ts';
import { contentPolicy } from './assets.ts';

/** Size limit; the page has a few kilobytes. */
const maxBytes = 64 << 10;
/** Milliseconds. */
const timeout = 5000;
/** Enough for all browsers that follow the setup of one server. */
const connectionLimit = 64;

/**
 * Serves one file for every path. To reduce the attack surface, it ignores headers, query and body,
 * closes slow and idle connections, and runs without privileges.
 */
export function pageServer(file: string): Server {
  const server = createServer(
    {
      maxHeaderSize: 8 << 10,
      headersTimeout: timeout,
      requestTimeout: timeout,
      connectionsCheckingInterval: 1000,
      keepAlive: false,
      requireHostHeader: false,
    },
    rejectPipelining((request, response) => void answer(request, response, file)),
  );
  server.maxConnections = connectionLimit;
  server.setTimeout(timeout, (socket) => socket.destroy());
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
  // The body is never read, so `Expect: 100-continue` is rejected.
  server.on('checkContinue', (_request, response) => end(response, 417));
  return server;
}

async function answer({ method }: IncomingMessage, response: ServerResponse, file: string) {
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return end(response, 405);
  }
  try {
    const page = await read(file);
    response.writeHead(200, { ...headers, 'Content-Length': page.length }).end(page);
  } catch {
    response.setHeader('Retry-After', '5');
    end(response, 503);
  }
}

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': contentPolicy,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  Connection: 'close',
};

async function read(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { Connection: 'close', 'Content-Length': 0 }).end();
}
