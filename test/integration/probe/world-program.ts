import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Handler } from '../../faulty-server/faulty-server.ts';
import { SocksProxy } from '../../faulty-server/socks-proxy.ts';
import { answerQuery } from '../../stand-ins/dns/answer.ts';
import { encryptedResolver } from '../../stand-ins/dns/encrypted.ts';

/*
 * world-program.ts overseas <address> <key> <certificate>: an HTTPS server with a provider, an echo
 * service and an encrypted resolver. Prints the address of every client, one per line.
 * world-program.ts proxy <address> <zone>: a SOCKS5 proxy. Prints its host and port.
 * world-program.ts dns <zone>: a DNS server on 127.0.0.1:53.
 * Zones are JSON. Run it only in a separate network.
 */

const [role, address = '', ...rest] = process.argv.slice(2);

if (role === 'overseas') overseas(address, ...(rest as [string, string]));
else if (role === 'proxy') {
  const zone: Record<string, [string]> = JSON.parse(rest[0] ?? '');
  const names = Object.fromEntries(Object.entries(zone).map(([name, [first]]) => [name, first]));
  console.log((await SocksProxy.start({ address, names })).host);
} else {
  const socket = createSocket('udp4');
  socket.on('message', (query, { address: to, port }) => {
    socket.send(answerQuery(query, JSON.parse(address)), port, to);
  });
  socket.bind(53, '127.0.0.1', () => console.log('ready'));
}

function overseas(listen: string, key: string, cert: string): void {
  const resolver: Handler = encryptedResolver({ 'api.provider.test': [listen] });
  const tls = { key: readFileSync(key), cert: readFileSync(cert) };
  const server = createServer(tls, (request, response) => {
    const url = new URL(request.url ?? '/', `https://${listen}`);
    if (url.pathname === '/dns-query') resolver({ request, response, url, count: 1 });
    else if (url.pathname === '/ip') response.end(request.socket.remoteAddress);
    else response.writeHead(401).end();
  });
  server.on('connection', (socket: Socket) => console.log(socket.remoteAddress));
  server.listen(443, listen, () => console.log('ready'));
}
