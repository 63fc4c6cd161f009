import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

/** Key, configuration and known hosts of a user of ssh, in a folder of their own. */
export class SshClient {
  /** File for --ssh-config. */
  readonly config: string;
  /** One line, for a site's `ssh_keys`. */
  readonly publicKey: string;

  private constructor(config: string, publicKey: string) {
    this.config = config;
    this.publicKey = publicKey;
  }

  /** @param lines further lines of ssh_config(5) */
  static async create(folder: string, lines: readonly string[] = []): Promise<SshClient> {
    const key = join(folder, 'id_ed25519');
    await execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'owner', '-f', key]);
    const config = join(folder, 'ssh_config');
    const known = join(folder, 'known_hosts');
    await writeFile(
      config,
      [
        ...lines,
        'Host *',
        `  IdentityFile ${key}`,
        '  IdentitiesOnly yes',
        `  UserKnownHostsFile ${known}`,
        '  StrictHostKeyChecking accept-new',
        '',
      ].join('\n'),
    );
    return new SshClient(config, (await readFile(`${key}.pub`, 'utf8')).trim());
  }
}
