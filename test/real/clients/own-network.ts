import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

/** The server that a script reaches. */
export interface Reached {
  readonly address: string;
  readonly port: number;
  /** The name in its URL; by default the address. */
  readonly name?: string;
}

interface Script {
  readonly text: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** A client that hangs fails. Milliseconds. */
const timeout = 280_000;

const inNamespace = fileURLToPath(new URL('in-namespace.ts', import.meta.url));
const namespaces = ['--net', '--pid', '--mount-proc', '--fork', '--kill-child=SIGKILL'];

/** Runs a script of a shell in a network of its own, where it reaches one server. Returns all that it printed. */
export async function runInOwnNetwork(
  { text, cwd, env, input = '' }: Script,
  { address, port, name = 'localhost' }: Reached,
): Promise<{ stdout: string; all: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-network-'));
  const [socket, hosts] = [join(folder, 'server'), join(folder, 'hosts')];
  await writeFile(hosts, `127.0.0.1 localhost ${name}\n`);
  const server = await forward(socket, address, port);
  try {
    const program = [process.execPath, inNamespace, `${port}`, socket, hosts, text];
    return await execa('unshare', [...namespaces, ...program], {
      ...{ env, extendEnv: false, cwd, timeout, all: true, reject: false, input },
    });
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
}

/** Forwards a socket of the file system to a server. */
async function forward(socket: string, address: string, port: number): Promise<Server> {
  const server = createServer((incoming) => {
    const outgoing = connect(port, address);
    incoming.on('error', () => outgoing.destroy()).on('close', () => outgoing.destroy());
    outgoing.on('error', () => incoming.destroy()).on('close', () => incoming.destroy());
    incoming.pipe(outgoing).pipe(incoming);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return server;
}
