import { firewallStatusFile } from '#contract/server-paths.ts';
import { formatOpening } from '#contract/site/opening.ts';
import { writeText } from '../host/files.ts';
import { differences, install, isInPlace, type Service } from '../host/service.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { changeFirewallUnderUndo, firewallService } from './apply.ts';
import { firewallDifferences } from './differences.ts';
import { firewallFacts, refuseContainerUplinks } from './facts.ts';
import { proveFirewall } from './prove.ts';
import { ufwStatusText } from './ufw.ts';

const programs: Service = { packages: ['nftables', 'iproute2', 'ufw'] };

/** The next stage confirms the change first. Seconds. */
const undoAfter = 300;

/**
 * Closes all ports of the host and of containers except SSH, HTTP, HTTPS and the configured ones
 * (SPEC 3.2, 8). The change is reverted automatically unless the next stage confirms it.
 */
export const firewallStage: Stage = {
  name: 'firewall',
  title: 'firewall: only SSH, HTTP and HTTPS are open',

  async check({ host, site }: Context) {
    await refuseContainerUplinks(host);
    const facts = await firewallFacts(host, site);
    const { packages: missing } = await differences(host, programs);
    const ports = facts.openings.map(formatOpening);
    const set = `close all ports except SSH (${facts.ssh.join(', ')}), ${ports.join(', ')}`;
    if (missing.length > 0) return [`install ${missing.join(', ')}`, set];
    const { problems } = await firewallDifferences(host, facts);
    if (problems.length === 0 && (await isInPlace(host, firewallService))) return [];
    return [set, ...problems.map(({ message }) => `fix: ${message}`)];
  },

  async apply({ host, site, report }: Context) {
    await install(host, programs, report);
    report.say('closing all other ports');
    await changeFirewallUnderUndo(host, { facts: await firewallFacts(host, site) }, undoAfter);
  },

  async prove({ host, site, report }: Context) {
    await proveFirewall(host, await firewallFacts(host, site), report);
    await writeText(host, firewallStatusFile, `${await ufwStatusText(host)}\n`, { mode: 0o600 });
  },
};
