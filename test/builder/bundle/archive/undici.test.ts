import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it } from 'vitest';

const undici = fileURLToPath(
  new URL('../../../../builder/bundle/archive/undici.cjs', import.meta.url),
);

/** In a process of its own: in this one, other tests load all of undici, which adds what the file lacks. */
const program = `
const { ProxyAgent } = require(process.argv[1]);
const agent = new ProxyAgent({ uri: process.argv[2] });
agent.request({ origin: 'https://registry.example', path: '/v2/', method: 'GET' })
  .catch((error) => console.log(error.message));
`;

it('opens a tunnel through an HTTP proxy in the program of a server', async () => {
  const asked: string[] = [];
  const proxy = createServer().on('connect', ({ url = '' }, socket) => {
    asked.push(url);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = proxy.address() as AddressInfo;
    const run = await execa(process.execPath, ['-e', program, undici, `http://127.0.0.1:${port}`]);
    expect(asked).toEqual(['registry.example:443']);
    expect(run.stdout).toContain('403');
  } finally {
    proxy.close();
  }
});
