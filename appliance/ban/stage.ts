import type { Site } from '#contract/site/site.ts';
import { withoutFirstStart } from '../host/first-start.ts';
import { ensureGatewayLog } from '../host/gateway-log.ts';
import type { Host } from '../host/host.ts';
import { installPackages, missingPackages } from '../host/packages/apt.ts';
import { sshPorts } from '../host/sshd/ssh-listeners.ts';
import { ensureEnabled, isActive, isEnabled } from '../host/systemd.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { confirmFirewall, isFirewallUnconfirmed } from './confirm-firewall.ts';
import { addressesOfSessions, keptAddresses } from './ignored.ts';
import { proveBans } from './prove.ts';
import type { BanFacts } from './render-jails.ts';
import { differingFiles, writeFiles } from './settings-files.ts';

/** fail2ban reads the journal through python3-systemd, which Debian 12 only recommends. */
const packages = ['fail2ban', 'python3-systemd', 'logrotate'];
const unit = 'fail2ban.service';

/**
 * Confirms the firewall of the stage before, and bans who guesses: keys at SSH, passwords at the
 * gateway. A ban acts in the firewall's table, before Docker sees a packet.
 */
export const banStage: Stage = {
  name: 'ban',
  title: 'ban: who guesses keys or passwords is kept out for a while',

  async check({ host, site }: Context) {
    const confirming = await isFirewallUnconfirmed(host);
    const missing = await missingPackages(host, packages);
    const differing = await differingFiles(host, await banFacts(host, site));
    const runs = (await isActive(host, unit)) && (await isEnabled(host, unit));
    return [
      ...(confirming ? ['prove that SSH still answers, and keep the firewall'] : []),
      ...(missing.length > 0 ? [`install ${missing.join(', ')}`] : []),
      ...(differing.length > 0
        ? [`write ${differing.map(({ path }) => `/${path}`).join(', ')}`]
        : []),
      ...(runs ? [] : ['start fail2ban, now and at every boot']),
    ];
  },

  async apply({ host, site, report }: Context) {
    // First of all: while packages are fetched, the firewall would undo itself.
    if (await isFirewallUnconfirmed(host)) {
      report.say('proving that SSH still answers from outside');
      await confirmFirewall(host);
    }
    // Before its installation, so that it never starts with other settings.
    await writeFiles(host, await banFacts(host, site));
    await ensureGatewayLog(host);
    await withoutFirstStart(host, [unit], () =>
      installPackages(host, packages, (line) => report.say(line)),
    );
    report.say('starting fail2ban');
    await ensureEnabled(host, unit);
    await host.run('systemctl', ['restart', unit]);
  },

  prove: async ({ host }: Context) => await proveBans(host),
};

/** Who is logged in now stays among those that are never banned. */
async function banFacts(host: Host, site: Site): Promise<BanFacts> {
  const [ssh, kept, current] = await Promise.all([
    sshPorts(host),
    keptAddresses(host),
    addressesOfSessions(host),
  ]);
  const { unlimited } = site.firewall;
  return { ssh, ignored: [...new Set([...kept, ...current])], unlimited };
}
