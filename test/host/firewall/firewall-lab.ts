import { expect } from 'vitest';
import type { HostDistribution } from '../../setup/debian/host-image.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud, type CloudDependencies } from '../network/cloud.ts';
import type { Outsider, PortState } from '../network/outsider.ts';
import { StageRunner } from '../stage-runner/stage-runner.ts';
import { loopbackPort, publishedPort, startPublishedContainer } from './published-container.ts';

/** Port of a service on the server itself. */
export const hostPort = 8090;
/** Metadata address of clouds; served by the outsider here. */
export const metadata = '169.254.169.254';

const ports = [22, 443, hostPort, publishedPort, loopbackPort, 8443];
/** Ports that must be unreachable from outside. */
export const closed: Record<number, PortState> = {
  [hostPort]: 'filtered',
  [publishedPort]: 'filtered',
  [loopbackPort]: 'filtered',
};
/** Openings of the first firewall, and everything that it blocks. */
export const expectedPorts: Record<number, PortState> = {
  ...{ 22: 'open', 443: 'refused', 8443: 'refused' },
  ...closed,
};

/**
 * A server with Docker and a published container, and a client that probes it from outside: for
 * tests of the firewall. Its site opens 8443/tcp.
 */
export class FirewallLab {
  readonly cloud: Cloud;
  readonly outsider: Outsider;
  readonly host: FastHost;
  readonly stages: StageRunner;

  private constructor(cloud: Cloud, outsider: Outsider, host: FastHost, stages: StageRunner) {
    this.cloud = cloud;
    this.outsider = outsider;
    this.host = host;
    this.stages = stages;
  }

  static async open(
    dependencies: CloudDependencies,
    distribution: HostDistribution,
  ): Promise<FirewallLab> {
    const cloud = await Cloud.open(dependencies);
    try {
      const outsider = await cloud.outsider();
      const host = await cloud.bootEmpty(distribution);
      await host.output('mkdir -p -m 700 /root/.ssh');
      await host.put('/root/.ssh/authorized_keys', `${outsider.publicKey}\n`, '0600');
      await startPublishedContainer(host);
      await outsider.run(`ip address add ${metadata}/32 dev eth0`);
      await outsider.run('setsid python3 -m http.server 80 >/dev/null 2>&1 &');
      const stages = await StageRunner.install(host, { firewall: { allow: ['8443/tcp'] } });
      const lab = new FirewallLab(cloud, outsider, host, stages);
      await lab.listen();
      return lab;
    } catch (error) {
      await cloud.close();
      throw error;
    }
  }

  /** Starts what does not survive a restart of the server: a service, and the route to metadata. */
  async listen(): Promise<void> {
    await this.host.output(`systemd-run --quiet python3 -m http.server --bind :: ${hostPort}`);
    await this.host.output(`ip route replace ${metadata}/32 via ${this.outsider.addresses.v4}`);
  }

  /** Returns the state of the ports from outside, over IPv4 and over IPv6. */
  async seen(): Promise<ReadonlyArray<Record<number, PortState>>> {
    const { v4, v6 } = this.host.addresses;
    return await Promise.all([this.outsider.ports(v4, ports), this.outsider.ports(v6, ports)]);
  }

  /** Applies and verifies stages, which must succeed. */
  async apply(names: string): Promise<void> {
    expect(await this.stages.run('apply', names)).not.toHaveProperty('error');
  }

  async close(): Promise<void> {
    await this.cloud.close();
  }
}
