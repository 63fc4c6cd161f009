import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';

/**
 * The upstream of the gateway in its tests, for every component: echoes requests as JSON. It runs
 * in a container, so it imports only Node.
 */
const ports = [8080, 3000, 3210];
const piece = Buffer.alloc(64 * 1024, 'x');
let waiting = 0;
let written = 0;

for (const port of ports) {
  createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  )
    .on('upgrade', (request, socket) => {
      socket.on('error', () => {});
      const head =
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
      socket.end(`${head}${describe(request, 0)}`);
    })
    .listen(port, '0.0.0.0');
}
process.once('SIGTERM', () => process.exit(0));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://upstream');
  if (pathname.endsWith('/hang')) return;
  if (pathname.endsWith('/written')) return void response.end(String(written));
  if (pathname.endsWith('/large'))
    return await sendLarge(response, Number(searchParams.get('pieces')));
  await arrivalOf(Number(searchParams.get('together') ?? 1));
  let bytes = 0;
  for await (const chunk of request) bytes += (chunk as Buffer).length;
  const status = Number(searchParams.get('status') ?? 200);
  const headers = Object.fromEntries(searchParams.getAll('header').map((text) => text.split('=')));
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(describe(request, bytes));
}

/** Waits until that many requests have arrived, before it reads any of them. */
async function arrivalOf(count: number): Promise<void> {
  if (count === 1) return;
  if (waiting >= count) waiting = 0;
  waiting += 1;
  while (waiting < count) await turn();
}

async function sendLarge(response: ServerResponse, pieces: number): Promise<void> {
  response.writeHead(200, { 'content-length': pieces * piece.length });
  for (let sent = 0; sent < pieces; sent += 1) {
    const goesOn = response.write(piece);
    written += piece.length;
    if (!goesOn) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end();
}

function describe({ method, url, headers }: IncomingMessage, bytes: number): string {
  return JSON.stringify({ method, url, headers, bytes });
}
