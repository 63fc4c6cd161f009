import type { Site } from '#contract/site/site.ts';
import { ensureGatewayLog } from '../host/gateway-log.ts';
import type { Host } from '../host/host.ts';
import { installPackages } from '../host/packages/apt.ts';
import { withoutFirstStart } from '../host/packages/first-start.ts';
import { differences, install } from '../host/service.ts';
import { sshPorts } from '../host/sshd/ssh-listeners.ts';
import { ensureEnabled } from '../host/systemd.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { confirmFirewall, isFirewallUnconfirmed } from './confirm-firewall.ts';
import { addressesOfSessions, keptAddresses } from './ignored.ts';
import { proveBans } from './prove.ts';
import type { BanFacts } from './render-jails.ts';
import { banService, banUnit } from './service.ts';

/**
 * Confirms the change of the firewall stage, and bans clients that guess keys for SSH or passwords at
 * the gateway. Bans act in the firewall table, before Docker's rules.
 */
export const banStage: Stage = {
  name: 'ban',
  title: 'ban: block clients that guess keys or passwords',

  async check({ host, site }: Context) {
    const confirming = await isFirewallUnconfirmed(host);
    // A login since the last run is no change: its address is added when something else changes.
    const service = banService(await savedFacts(host, site));
    const { packages, files, units } = await differences(host, service);
    const paths = files.map(({ path }) => `/${path}`);
    return [
      ...(confirming ? ['test SSH from outside and confirm the firewall'] : []),
      ...(packages.length > 0 ? [`install ${packages.join(', ')}`] : []),
      ...(paths.length > 0 ? [`write ${paths.join(', ')}`] : []),
      ...(units.length > 0 ? ['start fail2ban and enable it at boot'] : []),
    ];
  },

  async apply({ host, site, report }: Context) {
    // First, because the change could be reverted while packages are downloaded.
    if (await isFirewallUnconfirmed(host)) {
      report.say('testing SSH from outside');
      await confirmFirewall(host);
    }
    // Before the installation, so that fail2ban never starts with other settings.
    const { packages, files } = banService(await currentFacts(host, site));
    await install(host, { files });
    await ensureGatewayLog(host);
    await withoutFirstStart(host, [banUnit], () =>
      installPackages(host, packages, (line) => report.say(line)),
    );
    report.say('starting fail2ban');
    await ensureEnabled(host, banUnit);
    await host.run('systemctl', ['restart', banUnit]);
  },

  prove: async ({ host }: Context) => await proveBans(host),
};

/** Returns the facts with the saved addresses. */
async function savedFacts(host: Host, site: Site): Promise<BanFacts> {
  const [ssh, ignored] = await Promise.all([sshPorts(host), keptAddresses(host)]);
  return { ssh, ignored, unlimited: site.firewall.unlimited };
}

/** Adds the addresses of current sessions to those that are never banned. */
async function currentFacts(host: Host, site: Site): Promise<BanFacts> {
  const [saved, current] = await Promise.all([savedFacts(host, site), addressesOfSessions(host)]);
  return { ...saved, ignored: [...new Set([...saved.ignored, ...current])] };
}
