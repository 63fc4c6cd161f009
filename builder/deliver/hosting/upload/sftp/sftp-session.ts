import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa, execaSync } from 'execa';
import { LandfallError } from '#contract/errors.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { SftpTarget } from '../upload-target.ts';

interface SftpOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Configuration file of ssh; undefined: the default ones. */
  readonly configFile?: string | undefined;
}

/** How sftp ended. */
interface Ended {
  readonly exitCode?: number | undefined;
  /** Why it could not be started. */
  readonly code?: string | undefined;
  readonly stderr?: unknown;
}

/** ssh on Windows cannot share a connection, so each run of sftp logs in. */
const isShareable = process.platform !== 'win32';

/** Limits downloaded files to 2048 blocks of 512 bytes (POSIX, ulimit). */
const limitedSftp = 'ulimit -f 2048 && exec sftp "$@"';

/** Maximum size of the output of sftp: the list of a folder. Characters. */
const maxBuffer = 16 * 1024 * 1024;

/** Status of ssh when the connection failed. */
const connectionFailed = 255;

/**
 * Runs the system's sftp, so that keys, agents, jump hosts and host keys work as configured. All runs
 * share one connection, so the user logs in once.
 */
export class SftpSession implements AsyncDisposable {
  readonly #target: SftpTarget;
  readonly #options: SftpOptions;
  readonly #folder: string;
  #isConnected = false;

  private constructor(target: SftpTarget, options: SftpOptions, folder: string) {
    this.#target = target;
    this.#options = options;
    this.#folder = folder;
  }

  /** Creates a session. It connects with the first run. */
  static async open(target: SftpTarget, options: SftpOptions): Promise<SftpSession> {
    // The path of a socket has at most 104 bytes, and TMPDIR of macOS is long.
    const parent = isShareable ? '/tmp' : tmpdir();
    const session = new SftpSession(target, options, await mkdtemp(join(parent, 'landfall-sftp-')));
    process.once('SIGINT', session.#interrupt);
    return session;
  }

  /** Whether commands can run beside a transfer, without another login. */
  get isShared(): boolean {
    return isShareable;
  }

  /** Folder for small files, which is removed at the end. */
  get folder(): string {
    return this.#folder;
  }

  /**
   * Runs commands of sftp until the first that fails, except those that begin with `-`. Returns their
   * output.
   * @param limits.isSmall ends sftp when a downloaded file exceeds 1 MiB, because the server may send
   * more than it lists; not on Windows
   * @throws TransferError NETWORK_UNREACHABLE; UPLOAD_REFUSED when a command fails; TOOL_MISSING
   */
  async run(commands: readonly string[], { isSmall = false } = {}): Promise<string> {
    const { env } = this.#options;
    // ssh uses the first value of an option, and `-b` adds BatchMode=yes, which disables prompts.
    const args = ['-o', 'BatchMode=no', ...this.#sharedArgs(), '-b', '-', '--', this.#destination];
    const command = isSmall && isShareable ? ['sh', '-c', limitedSftp, 'sftp'] : ['sftp'];
    const [program = 'sftp', ...before] = command;
    const result = await execa(program, [...before, ...args], {
      ...{ env: { ...env, LC_ALL: 'C' }, extendEnv: false, reject: false, maxBuffer },
      ...{ input: `${commands.join('\n')}\n` },
    });
    if (result.exitCode === 0) {
      this.#isConnected = true;
      return String(result.stdout ?? '');
    }
    throw await this.#failure(result);
  }

  /** Ends the connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    process.removeListener('SIGINT', this.#interrupt);
    this.#disconnect();
  }

  /** Returns whether the shared connection exists: sftp ends with the same status when it is cut. */
  async #isAlive(): Promise<boolean> {
    if (!isShareable) return true;
    const { env } = this.#options;
    const args = [...this.#sharedArgs(), '-O', 'check', '--', this.#destination];
    const result = await execa('ssh', args, { env, extendEnv: false, reject: false });
    return result.exitCode === 0;
  }

  /** Ends the connection, then the program, as Ctrl-C does without this listener. */
  readonly #interrupt = () => {
    this.#disconnect();
    process.kill(process.pid, 'SIGINT');
  };

  /** Synchronous, because it also runs while the program ends. */
  #disconnect(): void {
    const { env } = this.#options;
    const args = [...this.#sharedArgs(), '-O', 'exit', '--', this.#destination];
    if (isShareable) execaSync('ssh', args, { env, extendEnv: false, reject: false });
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #failure({ exitCode, code, stderr }: Ended): Promise<LandfallError> {
    if (code === 'ENOENT') {
      return new LandfallError('TOOL_MISSING', 'sftp is not installed', {
        hint: 'Install the OpenSSH client (Debian package openssh-client).',
      });
    }
    const lines = String(stderr ?? '')
      .trim()
      .split('\n');
    const isReason = (line: string) => /\w/.test(line) && !line.startsWith('Connection closed');
    const reason = plainLine(lines.findLast(isReason) ?? 'the connection was closed');
    const { host } = this.#target;
    if (exitCode === connectionFailed || !(await this.#isAlive())) {
      return new TransferError('NETWORK_UNREACHABLE', `cannot connect to ${host}: ${reason}`, {
        hint: {
          en: `Test the connection with \`sftp ${this.#destination}\`.`,
          zh: `用 \`sftp ${this.#destination}\` 测试连接。`,
        },
        // Before the first success, the cause can be a wrong host or a rejected login.
        transient: this.#isConnected,
      });
    }
    return new TransferError('UPLOAD_REFUSED', `the upload to ${host} failed: ${reason}`, {
      hint: 'Check the folder, its permissions and the free disk space of the server.',
      transient: false,
    });
  }

  get #destination(): string {
    const { user, host } = this.#target;
    return user === undefined ? host : `${user}@${host}`;
  }

  #sharedArgs(): string[] {
    const { configFile } = this.#options;
    const { port } = this.#target;
    return [
      ...(configFile === undefined ? [] : ['-F', configFile]),
      ...(port === undefined ? [] : ['-o', `Port=${port}`]),
      ...['-o', 'ServerAliveInterval=15'],
      ...(isShareable ? ['-o', 'ControlMaster=auto', '-o', 'ControlPersist=60'] : []),
      ...(isShareable ? ['-o', `ControlPath=${join(this.#folder, '%C')}`] : []),
    ];
  }
}
