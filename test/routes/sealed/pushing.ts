import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { SshClient } from '../../host/delivery/ssh-client.ts';
import type { SealedPremises } from '../../host/sealed/sealed-premises.ts';
import { landfall } from '../../pty/terminal.ts';
import { workFolder } from '../../simulator/work-folder.ts';

/** The computer of an administrator, who reaches the server over SSH only. */
export class Pushing {
  readonly #folder: string;
  readonly #client: SshClient;

  private constructor(folder: string, client: SshClient) {
    this.#folder = folder;
    this.#client = client;
  }

  static async open(): Promise<Pushing> {
    const folder = await mkdtemp(join(await workFolder(), 'pushing-'));
    return new Pushing(folder, await SshClient.create(folder));
  }

  /** For a site's `ssh_keys`. */
  get publicKey(): string {
    return this.#client.publicKey;
  }

  /** Runs `landfall push` with the bundle of a server. @param links proxies for `--proxies` */
  async push({ premises }: SealedPremises, links: readonly string[] = []) {
    const address = `debian@${premises.host.addresses.v4}`;
    const options = ['--release', premises.bundle.dist, '--ssh-config', this.#client.config];
    const file = join(this.#folder, 'proxies.txt');
    await writeFile(file, links.join('\n'));
    const proxies = links.length === 0 ? [] : ['--proxies', file];
    const [program = '', ...args] = [...landfall, 'push', address, ...options, ...proxies];
    return await execa(program, args, { env: { CI: 'true' }, stdin: 'ignore', reject: false });
  }

  /** Logs in and runs a command. Exit code 255 means that ssh itself failed. */
  async ssh(server: SealedPremises, user: string, command: string, input = '') {
    const args = this.sshArguments(server, user, command);
    return await execa('ssh', args, { input, reject: false });
  }

  /** Does the same from an address of this machine. */
  async sshFrom(address: string, server: SealedPremises, user: string, command: string) {
    const args = this.sshArguments(server, user, command, address);
    return await execa('ssh', args, { input: '', reject: false });
  }

  /** Returns the arguments of `ssh`. @param from the address of this machine to connect from */
  sshArguments({ premises }: SealedPremises, user: string, command: string, from?: string) {
    const options = ['-F', this.#client.config, '-o', 'BatchMode=yes'];
    const source = from === undefined ? [] : ['-b', from];
    return [...options, ...source, `${user}@${premises.host.addresses.v4}`, command];
  }
}
