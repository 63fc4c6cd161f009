import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { Pool } from 'undici';

/**
 * The least that a relay on Node costs: `node:http` in front, undici behind, and nothing between them. Its
 * argument is the provider. Prints its port.
 */
const provider = new Pool(`http://127.0.0.1:${process.argv[2]}`);
const server = createServer(async (incoming, outgoing) => {
  const { method = 'GET', url = '/', headers } = incoming;
  const answer = await provider.request({
    method: method as 'POST',
    path: url,
    headers: { 'content-type': 'application/json', 'content-length': headers['content-length'] },
    body: incoming,
  });
  outgoing.writeHead(answer.statusCode, answer.headers as Record<string, string>);
  pipeline(answer.body, outgoing, () => {});
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
