import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { freePort } from '../../setup/free-port.ts';

/** A real sshd on loopback, with a configuration of ssh for it. It accepts one key for root. */
export class SshServer implements AsyncDisposable {
  readonly folder: string;
  readonly port: number;
  readonly #daemon: ChildProcess;

  private constructor(folder: string, port: number, daemon: ChildProcess) {
    this.folder = folder;
    this.port = port;
    this.#daemon = daemon;
  }

  static async start(sshd: string): Promise<SshServer> {
    const folder = await mkdtemp(join(tmpdir(), 'landfall-sshd-'));
    const port = await freePort();
    const at = (name: string) => join(folder, name);
    const keygen = (name: string, passphrase = '') =>
      execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', at(name)]);
    await Promise.all([
      keygen('host'),
      keygen('stranger'),
      keygen('user'),
      keygen('locked', 'sesame'),
    ]);
    const keys = await Promise.all(['user.pub', 'locked.pub'].map((name) => readFile(at(name))));
    await writeFile(at('authorized'), Buffer.concat(keys));
    await writeFile(at('sshd_config'), sshdConfig(port, at));
    // Debian's init script creates it before sshd starts.
    await mkdir('/run/sshd', { recursive: true });
    const args = ['-D', '-e', '-f', at('sshd_config')];
    const daemon = spawn(sshd, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    await listening(daemon);
    const server = new SshServer(folder, port, daemon);
    await server.trust('host');
    await server.configure();
    return server;
  }

  /** Path of the configuration of ssh. `release-host` is the server; `behind` is reached through it. */
  get config(): string {
    return join(this.folder, 'ssh_config');
  }

  /** Writes the configuration of ssh for a key of the user and a port. */
  async configure({ key = 'user', port = this.port } = {}): Promise<void> {
    const lines = [
      ...['Host release-host behind', 'HostName 127.0.0.1', 'User root', `Port ${port}`],
      ...[`IdentityFile ${join(this.folder, key)}`, 'IdentitiesOnly yes', 'HostKeyAlias server'],
      ...[`UserKnownHostsFile ${join(this.folder, 'known_hosts')}`, 'StrictHostKeyChecking yes'],
      ...[
        'Host behind',
        `ProxyCommand ssh -F ${this.config} -W 127.0.0.1:${this.port} release-host`,
      ],
    ];
    await writeFile(this.config, `${lines.join('\n')}\n`);
  }

  /** Writes the host key that the client expects. */
  async trust(key: 'host' | 'stranger'): Promise<void> {
    const line = await readFile(join(this.folder, `${key}.pub`), 'utf8');
    await writeFile(join(this.folder, 'known_hosts'), `server ${line}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#daemon, 'exit');
    this.#daemon.kill();
    await ended;
    await rm(this.folder, { recursive: true });
  }
}

function sshdConfig(port: number, at: (name: string) => string): string {
  return [
    ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${at('host')}`, 'PidFile none'],
    ...[`AuthorizedKeysFile ${at('authorized')}`, 'StrictModes no', 'UsePAM no'],
    ...['PermitRootLogin prohibit-password', 'PasswordAuthentication no'],
    ...['KbdInteractiveAuthentication no', 'Subsystem sftp internal-sftp', ''],
  ].join('\n');
}

async function listening(daemon: ChildProcess): Promise<void> {
  if (!daemon.stderr) throw new Error('sshd has no stderr');
  const seen: string[] = [];
  for await (const line of createInterface(daemon.stderr)) {
    seen.push(line);
    if (line.startsWith('Server listening')) {
      daemon.stderr.resume();
      return;
    }
  }
  throw new Error(`sshd did not start:\n${seen.join('\n')}`);
}
