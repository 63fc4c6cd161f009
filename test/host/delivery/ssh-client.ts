import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

/** Key, configuration and known hosts of a user of ssh, in a folder of their own. */
export class SshClient {
  /** File for --ssh-config. */
  readonly config: string;
  /** One line, for a site's `ssh_keys`. */
  readonly publicKey: string;
  readonly knownHosts: string;

  private constructor(config: string, publicKey: string, knownHosts: string) {
    this.config = config;
    this.publicKey = publicKey;
    this.knownHosts = knownHosts;
  }

  /** Creates the key and the files. */
  static async create(folder: string): Promise<SshClient> {
    const key = join(folder, 'id_ed25519');
    await execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'owner', '-f', key]);
    const config = join(folder, 'ssh_config');
    const known = join(folder, 'known_hosts');
    await writeFile(
      config,
      [
        'Host *',
        `  IdentityFile ${key}`,
        '  IdentitiesOnly yes',
        `  UserKnownHostsFile ${known}`,
        '  StrictHostKeyChecking accept-new',
        '',
      ].join('\n'),
    );
    return new SshClient(config, (await readFile(`${key}.pub`, 'utf8')).trim(), known);
  }
}
