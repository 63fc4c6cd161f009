import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LandfallError } from '#contract/errors.ts';
import { readAtMost } from '#contract/text/bytes.ts';
import { sshProxyVariable } from '#probe/exchange/ssh-through-proxy.ts';
import {
  type Destination,
  formatDestination,
  type SshOptions,
  shellQuoted,
  sshArguments,
} from './arguments.ts';
import { lastLines, screenFilter, sshFailure } from './printed.ts';

/** Result of a command on the server. */
export interface RemoteResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Exit code of `ssh` for its own failures, such as a lost connection. */
export const lostCode = 255;
const printedLimit = 16_384;
/** Maximum output of a command: the files of a snapshot, in base64. Bytes. */
const maxOutput = 16 << 20;
/** Total timeout of a command, in seconds. */
const commandTimeout = 600;

/**
 * One login over the system's `ssh`, so that ~/.ssh/config, jump hosts, agents and host keys work as
 * always. All commands and the tunnel share its connection (ControlMaster of ssh_config(5)), so users
 * enter a password once.
 */
export class SshConnection {
  readonly destination: Destination;
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;
  readonly #master: ChildProcess;
  readonly #folder: string;
  #isOpen = true;

  private constructor(destination: Destination, master: ChildProcess, folder: string) {
    this.destination = destination;
    this.#master = master;
    this.#folder = folder;
    this.ended = once(master, 'close').then(async () => {
      this.#isOpen = false;
      await rm(folder, { recursive: true, force: true });
    });
  }

  /**
   * Logs in. `ssh` asks on the terminal for what it needs.
   * @param print receives what `ssh` prints meanwhile, such as a warning about a host key
   * @throws LandfallError SSH_UNREACHABLE, SSH_DENIED, SSH_HOST_KEY, TOOL_MISSING
   */
  static async open(
    destination: Destination,
    options: SshOptions,
    print: (text: string) => void,
  ): Promise<SshConnection> {
    const folder = await mkdtemp(join(tmpdir(), 'landfall-'));
    const args = [
      ...['-M', '-S', join(folder, 'ssh'), '-N', '-T', '-o', 'ControlPersist=no'],
      // Runs after the login, when other commands can use the connection.
      ...['-o', 'PermitLocalCommand=yes', '-o', 'LocalCommand=echo connected'],
      ...sshArguments(destination, options),
    ];
    const env = { ...process.env, [sshProxyVariable]: options.proxy };
    const master = spawn('ssh', args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    const connection = new SshConnection(destination, master, folder);
    let printed = '';
    master.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      printed = (printed + chunk).slice(-printedLimit);
      if (!isConnected) print(chunk);
    });
    let isConnected = false;
    const outcome = await Promise.race([
      once(master, 'error').then(([error]) => error as NodeJS.ErrnoException),
      once(master.stdout as NodeJS.ReadableStream & NodeJS.EventEmitter, 'data').then(
        () => undefined,
      ),
      connection.ended.then(() => sshFailure(formatDestination(destination), printed)),
    ]);
    isConnected = true;
    if (outcome === undefined) return connection;
    if (outcome instanceof LandfallError) throw outcome;
    await rm(folder, { recursive: true, force: true });
    throw new LandfallError('TOOL_MISSING', `ssh cannot be started: ${outcome.message}`, {
      hint: 'Install the OpenSSH client: apt-get install openssh-client',
    });
  }

  /** Returns whether a command can still run: after a cut, `ssh` may not have ended yet. */
  async answers(): Promise<boolean> {
    if (!this.#isOpen) return false;
    return await this.run(':', '', 30).then(
      ({ code }) => code === 0,
      () => false,
    );
  }

  /**
   * Runs a command line of sh as the login user. The exit code is {@link lostCode} without a connection.
   * @param seconds total timeout
   * @throws LandfallError COMMAND_FAILED for too much output, SSH_UNREACHABLE after the timeout
   */
  async run(
    command: string,
    input: string | Uint8Array = '',
    seconds = commandTimeout,
  ): Promise<RemoteResult> {
    const child = spawn('ssh', [...this.#shared(), `sh -c ${shellQuoted(command)}`]);
    child.stdin.end(input);
    return await this.#finish(child, seconds);
  }

  /**
   * Runs a command line of sh that reads a stream, without a total timeout: the stream can be large. The
   * exit code is {@link lostCode} without a connection.
   * @throws the error of the stream
   */
  async send(command: string, content: AsyncIterable<Uint8Array>): Promise<RemoteResult> {
    const child = spawn('ssh', [...this.#shared(), `sh -c ${shellQuoted(command)}`]);
    let failure: unknown;
    async function* guarded() {
      try {
        yield* content;
      } catch (error) {
        failure = error;
      }
    }
    const sending = pipeline(guarded(), child.stdin).catch(() => {});
    const [result] = await Promise.all([this.#finish(child), sending]);
    if (failure !== undefined) throw failure;
    return result;
  }

  async #finish(child: ChildProcessWithoutNullStreams, seconds?: number): Promise<RemoteResult> {
    const stop = (error: LandfallError) => {
      child.kill('SIGKILL');
      // The master has copies of these pipes and would keep them open.
      child.stdout.destroy(error);
      child.stderr.destroy(error);
    };
    const name = formatDestination(this.destination);
    const collected = async (stream: Readable) => {
      const bytes = await readAtMost(stream, maxOutput + 1);
      if (bytes.length <= maxOutput) return Buffer.from(bytes).toString();
      stop(tooMuch(name));
      throw tooMuch(name);
    };
    const timer = seconds && setTimeout(() => stop(tooSlow(name, seconds)), seconds * 1000);
    // The command may end without reading its input.
    child.stdin.on('error', () => {});
    try {
      const [stdout, stderr, [code]] = await Promise.all([
        collected(child.stdout),
        collected(child.stderr),
        once(child, 'close'),
      ]);
      return { code: code ?? lostCode, stdout, stderr };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Runs a command line of sh whose output lines are passed on as they arrive. Returns its exit code. */
  async follow(command: string, onText: (text: string) => void): Promise<number> {
    const child = spawn('ssh', [...this.#shared(), `sh -c ${shellQuoted(command)}`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout.setEncoding('utf8').on('data', onText);
    const [code] = await once(child, 'close');
    return code ?? lostCode;
  }

  /**
   * Runs a command line of sh on the terminal of this program, which gets only text, colours and live
   * rows. Returns its exit code.
   */
  async show(command: string, terminal: boolean): Promise<number> {
    const flags = terminal ? ['-tt', '-q'] : ['-q'];
    const child = spawn('ssh', [...flags, ...this.#shared(), `sh -c ${shellQuoted(command)}`], {
      stdio: ['inherit', 'pipe', 'ignore'],
    });
    const showing = pipeline(child.stdout, screenFilter(), process.stdout, { end: false });
    const [[code]] = await Promise.all([once(child, 'close'), showing]);
    return code ?? lostCode;
  }

  /**
   * Lets the server connect to a port of this computer's loopback interface.
   * @returns the port on the server's loopback interface
   * @throws LandfallError SSH_FORWARD
   */
  async forward(localPort: number): Promise<number> {
    const wanted = `127.0.0.1:0:127.0.0.1:${localPort}`;
    const child = spawn('ssh', ['-O', 'forward', '-R', wanted, ...this.#shared()]);
    child.stdin.end();
    const { stdout, stderr } = await this.#finish(child, 60);
    const port = Number(/^\d+$/m.exec(stdout)?.[0]);
    if (port > 0) return port;
    throw new LandfallError('SSH_FORWARD', 'the server does not forward a port over SSH', {
      hint: 'Set AllowTcpForwarding to yes in its /etc/ssh/sshd_config, and restart sshd.',
      problems: lastLines(stderr),
    });
  }

  /** Logs out, and ends the tunnel with all commands. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#master.kill();
    await this.ended;
  }

  /** Without a connection to share, `ssh` would open one of its own; `false` prevents that. */
  #shared(): string[] {
    const alone = ['-o', 'ControlMaster=no', '-o', 'ProxyCommand=false', '-o', 'BatchMode=yes'];
    const socket = join(this.#folder, 'ssh');
    return ['-F', 'none', '-S', socket, ...alone, '--', this.destination.host];
  }
}

function tooSlow(name: string, seconds: number): LandfallError {
  return new LandfallError(
    'SSH_UNREACHABLE',
    `no SSH connection to ${name}: a command did not end within ${seconds} seconds`,
    { hint: 'Check the server and your network, and run the command again.' },
  );
}

function tooMuch(name: string): LandfallError {
  return new LandfallError('COMMAND_FAILED', `a command on ${name} prints too much`, {
    hint: 'Log in with ssh, and check what the shell prints when it starts.',
  });
}
