import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/*
 * echo-client.ts <tcp | udp>/<address>/<port>...
 *
 * Keeps one connection to each echo server. For each line on standard input, `held` or `new`, it sends
 * a text over these or over new connections, and prints the servers without an answer as JSON.
 */

interface Connection {
  /** Sends a text, and returns whether it came back in time. */
  ask(): Promise<boolean>;
  close(): void;
}

/** Milliseconds. */
const timeout = 4000;
const targets = process.argv.slice(2);
const held = await Promise.all(targets.map(open));
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const asked = line === 'held' ? held : await Promise.all(targets.map(open));
  const answers = await Promise.all(asked.map((connection) => connection?.ask() ?? false));
  if (line !== 'held') for (const connection of asked) connection?.close();
  console.log(JSON.stringify(targets.filter((_, index) => !answers[index])));
}

/** Returns undefined if the connection is refused, or without an answer. */
async function open(target: string): Promise<Connection | undefined> {
  const [protocol = '', address = '', port = ''] = target.split('/');
  return protocol === 'tcp' ? await openTcp(address, Number(port)) : openUdp(address, Number(port));
}

async function openTcp(host: string, port: number): Promise<Connection | undefined> {
  const socket = connect({ host, port });
  const isOpen = await within((done) =>
    socket.on('connect', () => done(true)).on('error', () => done(false)),
  );
  if (!isOpen) {
    socket.destroy();
    return undefined;
  }
  return {
    ask: () =>
      within((done) => {
        socket.once('data', () => done(true));
        socket.write('hello\n');
      }),
    close: () => socket.destroy(),
  };
}

function openUdp(address: string, port: number): Connection {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4').on('error', () => {});
  return {
    ask: () =>
      within((done) => {
        socket.once('message', () => done(true));
        socket.send('hello\n', port, address);
      }),
    close: () => socket.close(),
  };
}

async function within(run: (done: (result: boolean) => void) => void): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, timeout, false);
  run(resolve);
  return await promise.finally(() => clearTimeout(timer));
}
