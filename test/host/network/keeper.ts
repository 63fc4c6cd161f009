import { randomUUID } from 'node:crypto';
import type Docker from 'dockerode';
import { execIn, type Ran } from '../machine/exec.ts';
import type { Addresses, HostNetwork } from './network.ts';

/** Root folder of the account. */
const root = '/srv/keeper';
const user = 'landfall';
const folder = '/backups';
const keyFile = '/etc/ssh/authorized_keys';
const hostKey = '/etc/ssh/ssh_host_ed25519_key';

/** The account can do nothing but SFTP, and sees nothing outside of its root folder. */
const settings = `
AllowUsers ${user}
PasswordAuthentication no
AuthorizedKeysFile ${keyFile}
Subsystem sftp internal-sftp
ForceCommand internal-sftp
ChrootDirectory ${root}
DisableForwarding yes
LogLevel VERBOSE
`;

/** A locked account cannot log in, so its password is one that nothing matches. */
const start = `
useradd --no-create-home --shell /usr/sbin/nologin --password '*' ${user}
mkdir -p /run/sshd ${root}${folder} && chown ${user}: ${root}${folder} && touch ${keyFile}
printenv SETTINGS >/etc/ssh/sshd_config
ssh-keygen -q -A
exec /usr/sbin/sshd -D -e`;

/** A machine with a real sshd that keeps files for other machines, and outlives them. */
export class Keeper {
  readonly addresses: Addresses;
  /** Settings of a target in a site. */
  readonly target: Readonly<Record<'kind' | 'host' | 'user' | 'path', string>>;
  /** Folder of the files on this machine. */
  readonly folder = `${root}${folder}`;
  readonly #container: Docker.Container;

  private constructor(container: Docker.Container, addresses: Addresses, host: string) {
    this.#container = container;
    this.addresses = addresses;
    this.target = { kind: 'sftp', host, user, path: folder };
  }

  /**
   * Starts the machine. Returns when sshd responds.
   * @param options.image an image of a server, which has sshd
   * @param options.host its host name
   */
  static async start(
    engine: Docker,
    network: HostNetwork,
    { image, host }: { image: string; host: string },
  ): Promise<Keeper> {
    const addresses = network.take();
    const name = `keeper-${randomUUID().slice(0, 6)}`;
    const container = await engine.createContainer({
      ...{ name, Hostname: name, Image: image, Entrypoint: ['sh', '-c', start] },
      Env: [`SETTINGS=${settings}`],
      HostConfig: { NetworkMode: network.name, Init: true },
      NetworkingConfig: {
        EndpointsConfig: {
          [network.name]: {
            IPAMConfig: { IPv4Address: addresses.v4, IPv6Address: addresses.v6 },
          },
        },
      },
    });
    await container.start();
    const keeper = new Keeper(container, addresses, host);
    await keeper.#showsKey();
    return keeper;
  }

  /** Runs a command on it as root. A failing command is not an error. */
  async run(command: string): Promise<Ran> {
    return await execIn(this.#container, ['sh', '-c', command]);
  }

  /** Returns the output of a command that must succeed, without the trailing newline. */
  async output(command: string): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(command);
    if (exitCode !== 0) throw new Error(`${command} failed: ${stderr}${stdout}`);
    return stdout.trimEnd();
  }

  /** Lets only the owner of a public key log in. @param line of authorized_keys */
  async authorise(line: string): Promise<void> {
    await this.output(`printf '%s\\n' '${line}' >${keyFile}`);
  }

  /** Replaces the host keys, as another server with this name has others. */
  async changeHostKey(): Promise<void> {
    await this.output('rm /etc/ssh/ssh_host_* && ssh-keygen -q -A && pkill -HUP -o -x sshd');
    await this.#showsKey();
  }

  /** Returns the fingerprint of its host key, `SHA256:…`. */
  async fingerprint(): Promise<string> {
    return await this.output(`ssh-keygen -l -f ${hostKey}.pub | cut -d ' ' -f 2`);
  }

  /** Waits until a client has sent a part of a file, and kills its session. */
  async cutWithinFile(): Promise<void> {
    const sent = `find ${this.folder} -type f -size +256k -name '*-restic-temp-*'`;
    await this.output(
      `until ${sent} | grep -q .; do sleep 0.01; done; pkill -KILL -u ${user}; ${sent} | grep -q .`,
    );
  }

  async remove(): Promise<void> {
    await this.#container.remove({ force: true, v: true });
  }

  /** Waits until sshd shows its present key. */
  async #showsKey(): Promise<void> {
    const key = `cut -d ' ' -f 2 ${hostKey}.pub`;
    const shown = `ssh-keyscan -t ed25519 127.0.0.1 2>/dev/null | grep -qF "$(${key})"`;
    await this.output(`until ${shown}; do sleep 0.05; done`);
  }
}
