import { expect } from 'vitest';
import type { HostDistribution } from '../../setup/debian/host-image.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud, type CloudDependencies } from '../network/cloud.ts';
import type { Outsider } from '../network/outsider.ts';
import { StageRunner } from '../stage-runner/stage-runner.ts';

/** A server with firewall and fail2ban, its administrator, and an attacker: for tests of bans. */
export class BanLab {
  readonly cloud: Cloud;
  readonly administrator: Outsider;
  readonly attacker: Outsider;
  readonly host: FastHost;
  readonly stages: StageRunner;

  private constructor(
    cloud: Cloud,
    { administrator, attacker }: { administrator: Outsider; attacker: Outsider },
    host: FastHost,
    stages: StageRunner,
  ) {
    this.cloud = cloud;
    this.administrator = administrator;
    this.attacker = attacker;
    this.host = host;
    this.stages = stages;
  }

  static async open(
    dependencies: CloudDependencies,
    distribution: HostDistribution,
  ): Promise<BanLab> {
    const cloud = await Cloud.open(dependencies);
    try {
      const outsiders = { administrator: await cloud.outsider(), attacker: await cloud.outsider() };
      const host = await cloud.bootEmpty(distribution);
      await host.output('mkdir -p -m 700 /root/.ssh');
      const keys = `${outsiders.administrator.publicKey}\n`;
      await host.put('/root/.ssh/authorized_keys', keys, '0600');
      const stages = await StageRunner.install(host, {});
      expect(await stages.run('apply', 'firewall,ban')).not.toHaveProperty('error');
      return new BanLab(cloud, outsiders, host, stages);
    } catch (error) {
      await cloud.close();
      throw error;
    }
  }

  /** Returns the firewall's set of banned addresses of a jail, as nft prints it. */
  async banned(jail: string, family: 4 | 6 = 4): Promise<string> {
    return await this.host.output(`nft list set inet landfall banned-${jail}-${family}`);
  }

  /** Waits until the set contains an address: for IPv6 the first one of its /64. */
  async waitForBan(jail: string, address: string, family: 4 | 6 = 4): Promise<void> {
    const list = `nft list set inet landfall banned-${jail}-${family}`;
    await this.host.waitFor(`${list} | grep -F '${address} timeout'`, 180);
  }

  async close(): Promise<void> {
    await this.cloud.close();
  }
}
