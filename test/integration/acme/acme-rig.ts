import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { secretsFolder, stackFolder } from '#contract/server-paths.ts';
import { ensureGatewayPairs } from '../../../appliance/server/certificates/gateway-pairs.ts';
import { Host } from '../../../appliance/server/host/host.ts';
import { type RunCommand, runCommand } from '../../../appliance/server/host/run/command.ts';
import { writeSecret } from '../../../appliance/server/host/secret-file.ts';
import type { Urgency } from '../../../appliance/stages/tls/acme-pair.ts';
import { ensureCertificate, type Seen } from '../../../appliance/stages/tls/ensure-certificate.ts';
import { resolverOf } from '../../../appliance/stages/tls/resolve-name.ts';
import { contextFor, type TestContext } from '../../appliance/context.ts';
import { stackInput } from '../../appliance/stages/stack/stack-input.ts';
import { StackRig } from '../stack/stack-rig.ts';
import { Pebble } from './pebble.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));

export interface RigDependencies {
  readonly engine: string;
  readonly registry: string;
  readonly composePlugin: string;
  readonly pebble: string;
}

/**
 * A server's gateway and its certificate client on a real Docker, with an ACME authority that
 * connects to them. The server's code runs unchanged, except that no systemd timer is started.
 */
export class AcmeRig {
  readonly stack: StackRig;
  readonly pebble: Pebble;
  /** Address of the gateway, which represents the server. */
  readonly address: string;
  readonly host: Host;
  readonly #root: string;
  readonly #hosts: Readonly<Record<string, string>>;

  private constructor(dependencies: {
    readonly stack: StackRig;
    readonly pebble: Pebble;
    readonly address: string;
    readonly root: string;
    readonly run: RunCommand;
    readonly hosts: Readonly<Record<string, string>>;
  }) {
    this.stack = dependencies.stack;
    this.pebble = dependencies.pebble;
    this.address = dependencies.address;
    this.host = new Host(dependencies.root, dependencies.run);
    this.#root = dependencies.root;
    this.#hosts = dependencies.hosts;
  }

  static async start(
    dependencies: RigDependencies,
    hosts: Readonly<Record<string, string>>,
  ): Promise<AcmeRig> {
    const input = stackInput({ hosts }, { server: { memory: 4 * 1024 ** 3, cpus: 2 } });
    const stack = await StackRig.prepare({ ...dependencies, input });
    try {
      return await AcmeRig.#around(stack, dependencies, hosts);
    } catch (error) {
      await stack.close();
      throw error;
    }
  }

  static async #around(
    stack: StackRig,
    dependencies: RigDependencies,
    hosts: Readonly<Record<string, string>>,
  ): Promise<AcmeRig> {
    const root = await mkdtemp(join(tmpdir(), 'landfall-acme-'));
    await mkdir(join(root, 'var/lib'), { recursive: true });
    await symlink(stack.state, join(root, 'var/lib/landfall'));
    await makePairs(new Host(root, runCommand), stack);
    await stack.compose('up', '--detach', '--no-deps', '--wait', 'gateway', 'engine');
    const address = await stack.address('gateway');
    const pebble = await Pebble.start(dependencies.pebble, await machineAddress(stack));
    const run = commandsOf(dependencies, stack.state, address);
    const rig = new AcmeRig({ stack, pebble, address, root, run, hosts });
    for (const [name, value] of Object.entries(stack.input.secrets)) {
      await writeSecret(rig.host, name, value);
    }
    return rig;
  }

  /** Runs the action of the timer, for a site with these settings of `tls`. */
  async seeTo(urgency: Urgency = {}, site: Readonly<Record<string, unknown>> = {}): Promise<Seen> {
    return await ensureCertificate(this.context(site), urgency, resolverOf([this.pebble.dns]));
  }

  /** Context of the server's own stages. */
  context(site: Readonly<Record<string, unknown>> = {}): TestContext {
    const { directory: url, ca } = this.pebble;
    const defaults = {
      admin: { email: 'ops@example.org', ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
      hosts: this.#hosts,
      tls: { mode: 'acme', accept_terms: true, server: { url, ca } },
    };
    const context = contextFor(this.host, { site: { ...defaults, ...site } });
    return { ...context, releaseFolder: project };
  }

  /**
   * Returns the names in the gateway's certificate, and whether an authority signed it.
   * @param root that authority, in PEM; default: Pebble's
   */
  async shown(
    name: string,
    root?: string,
  ): Promise<{ names: string; serial: string; verified: boolean }> {
    const ca = root ?? (await this.pebble.root());
    return await new Promise((resolve, reject) => {
      const socket = connect(
        { host: this.address, port: 443, servername: name, ca, rejectUnauthorized: false },
        () => {
          const leaf = socket.getPeerX509Certificate();
          resolve({
            // Their order is that of the authority.
            names: (leaf?.subjectAltName ?? '').split(', ').sort().join(', '),
            serial: leaf?.serialNumber ?? '',
            verified: socket.authorized,
          });
          socket.destroy();
        },
      );
      socket.once('error', reject);
    });
  }

  /** Returns the host path of a file of the server. */
  async file(path: string): Promise<string> {
    return await readFile(join(this.#root, path), 'utf8');
  }

  async close(): Promise<void> {
    await this.pebble.stop();
    await this.stack.close();
    await rm(join(this.#root, secretsFolder), { recursive: true });
    await rm(this.#root, { recursive: true });
  }
}

/** Self-signed certificate pairs, the state of a server before the first request. */
async function makePairs(host: Host, { input }: StackRig): Promise<void> {
  await rm(host.path(stackFolder, 'gateway/tls'), { recursive: true });
  await ensureGatewayPairs(host, input.site);
}

/** Address of this machine in the network of lego's container. */
async function machineAddress({ engine }: StackRig): Promise<string> {
  const { IPAM } = await engine.getNetwork('landfall_outside').inspect();
  const address = IPAM?.Config?.[0]?.Gateway;
  if (!address) throw new Error('the network has no gateway');
  return address;
}

/** The server's commands, on the Docker of the tests. */
function commandsOf(
  { engine, composePlugin }: RigDependencies,
  state: string,
  address: string,
): RunCommand {
  const env = { DOCKER_HOST: `unix://${engine}`, LANDFALL_STATE: state };
  return async (file, args, options = {}) => {
    if (file === 'systemctl') return { code: 0, stdout: '', stderr: '' };
    if (file === 'ip') return { code: 0, stdout: addressJson(address), stderr: '' };
    const [first, ...rest] = args;
    const [program, theirs] =
      file === 'docker' && first === 'compose' ? [composePlugin, rest] : [file, args];
    return await runCommand(program, theirs, { ...options, env: { ...env, ...options.env } });
  };
}

/** Output format of `ip -json address`. */
function addressJson(address: string): string {
  return JSON.stringify([{ ifname: 'eth0', addr_info: [{ family: 'inet', local: address }] }]);
}
