import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import type { Ran } from '../host/machine/exec.ts';
import { type Login, sshArguments } from '../host/network/ssh-login.ts';
import { programPath } from '../setup/packages/programs.ts';
import type { TrueServer } from './true-server.ts';

/** The administrator of servers, with an SSH key. */
export class Administrator {
  /** Public key in one line, for a site's `ssh_keys`. */
  readonly publicKey: string;
  /** File with the private key. */
  readonly identity: string;

  private constructor(publicKey: string, identity: string) {
    this.publicKey = publicKey;
    this.identity = identity;
  }

  /** Creates a key in a folder. */
  static async create(folder: string): Promise<Administrator> {
    const identity = join(folder, 'administrator');
    const args = ['-q', '-t', 'ed25519', '-N', '', '-C', 'administrator', '-f', identity];
    await execa(programPath('ssh-keygen'), args);
    return new Administrator((await readFile(`${identity}.pub`, 'utf8')).trim(), identity);
  }

  /** Logs in and runs a command. Exit code 255 means that ssh itself failed. */
  async ssh(
    server: Pick<TrueServer, 'forward'>,
    login: Pick<Login, 'user' | 'with' | 'command'>,
  ): Promise<Ran> {
    const port = await server.forward(22);
    const whole = { ...login, host: '127.0.0.1', port, identity: this.identity };
    const { argv, env } = sshArguments(whole);
    const [, ...args] = argv;
    const ran = await execa(programPath('ssh'), args, { env, stdin: 'ignore', reject: false });
    return { exitCode: ran.exitCode ?? 255, stdout: ran.stdout, stderr: ran.stderr };
  }
}
