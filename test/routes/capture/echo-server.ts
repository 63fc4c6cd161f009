import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/*
 * echo-server.ts <tcp/port | udp/port | tcp/address/port>...
 *
 * Returns every byte on these ports, preceded by the address of the client. UDP sockets are bound to
 * the wildcard address, as those of most programs.
 */

for (const text of process.argv.slice(2)) {
  const [protocol = '', ...rest] = text.split('/');
  const port = Number(rest.at(-1));
  const address = rest.length > 1 ? rest[0] : '::';
  if (protocol === 'tcp') await serveTcp(port, address);
  else await serveUdp(port);
}
console.log('ready');

async function serveTcp(port: number, address: string | undefined): Promise<void> {
  const server = createServer((socket) => {
    const from = socket.remoteAddress?.replace('::ffff:', '');
    socket.on('data', (data) => socket.write(`${from} ${data}`)).on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
}

async function serveUdp(port: number): Promise<void> {
  const socket = createSocket('udp6');
  socket.on('message', (data, { address, port: to }) => {
    socket.send(`${address.replace('::ffff:', '')} ${data}`, to, address);
  });
  await new Promise<void>((resolve) => socket.bind(port, resolve));
}
