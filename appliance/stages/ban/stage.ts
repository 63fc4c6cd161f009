import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { firewallTableFile } from '#contract/server-paths.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { readText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { probeFromOutside } from '../../server/host/outside/probe.ts';
import { installPackages } from '../../server/host/packages/apt.ts';
import { withoutFirstStart } from '../../server/host/packages/first-start.ts';
import { packageVersions } from '../../server/host/packages/versions.ts';
import { differences, ensureEnabled, install, installs } from '../../server/host/service.ts';
import { sshProbeTargets, unreachableSsh } from '../../server/host/sshd/ssh-from-outside.ts';
import { sshPorts } from '../../server/host/sshd/ssh-listeners.ts';
import { confirm, unconfirmed } from '../../server/host/undo/undo.ts';
import type { Context, Stage } from '../../server/stage/stage.ts';
import {
  bannedSet,
  banningJails,
  firewallTable,
  firewallUndo,
  loadedTable,
  markOf,
} from '../firewall/public.ts';
import { ensureGatewayLog } from '../stack/public.ts';
import { addressesOfSessions, keptAddresses } from './ignored.ts';
import { type BanFacts, banService, banUnit } from './service.ts';

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
      ...(confirming
        ? [
            inLanguage({
              en: 'test SSH from outside and confirm the firewall',
              zh: '从外部测试 SSH 并确认防火墙',
            }),
          ]
        : []),
      ...(packages.length > 0 ? [installs(packages)] : []),
      ...(paths.length > 0
        ? [inLanguage({ en: `write ${paths.join(', ')}`, zh: `写入 ${paths.join(', ')}` })]
        : []),
      ...(units.length > 0
        ? [
            inLanguage({
              en: 'start fail2ban and enable it at boot',
              zh: '启动 fail2ban，并设为开机启动',
            }),
          ]
        : []),
    ];
  },

  async apply({ host, site, report }: Context) {
    // First, because the change could be reverted while packages are downloaded.
    if (await isFirewallUnconfirmed(host)) {
      report.say(inLanguage({ en: 'testing SSH from outside', zh: '从外部测试 SSH' }));
      await confirmFirewall(host);
    }
    // Before the installation, so that fail2ban never starts with other settings.
    const { packages, files } = banService(await currentFacts(host, site));
    await install(host, { files });
    await ensureGatewayLog(host);
    await withoutFirstStart(host, [banUnit], () =>
      installPackages(host, packages, (line) => report.say(line)),
    );
    report.say(inLanguage({ en: 'starting fail2ban', zh: '启动 fail2ban' }));
    await ensureEnabled(host, banUnit);
    await host.run('systemctl', ['restart', banUnit]);
  },

  prove: async ({ host }: Context) => await proveBans(host),
};

async function savedFacts(host: Host, site: Site): Promise<BanFacts> {
  const [ssh, ignored] = await Promise.all([sshPorts(host), keptAddresses(host)]);
  return { ssh, ignored, unlimited: site.firewall.unlimited };
}

/** Adds the addresses of current sessions to those that are never banned. */
async function currentFacts(host: Host, site: Site): Promise<BanFacts> {
  const [saved, current] = await Promise.all([savedFacts(host, site), addressesOfSessions(host)]);
  return { ...saved, ignored: [...new Set([...saved.ignored, ...current])] };
}

/** Returns whether a change of the firewall stage is not confirmed. */
export async function isFirewallUnconfirmed(host: Host): Promise<boolean> {
  return (await unconfirmed(host)).includes(firewallUndo);
}

/**
 * Confirms a change of the firewall after verifying that the administrator still has access: SSH is
 * reachable from outside over each version of IP that sshd listens on, and both firewalls match their
 * settings.
 * @throws LandfallError FIREWALL_INVALID; the change is then reverted automatically
 */
export async function confirmFirewall(host: Host): Promise<void> {
  const problems = [...(await checkSshAccess(host)), ...(await checkStates(host))];
  if (problems.length === 0) return await confirm(host, firewallUndo);
  throw new LandfallError('FIREWALL_INVALID', 'the new firewall is not confirmed', {
    hint: {
      en: 'Wait: the change is reverted in some minutes, then the first boot retries.',
      zh: '请等待：更改会在几分钟后撤销，然后首次启动会重试。',
    },
    problems,
  });
}

async function checkSshAccess(host: Host): Promise<Problem[]> {
  return unreachableSsh(await probeFromOutside(host, await sshProbeTargets(host)));
}

async function checkStates(host: Host): Promise<Problem[]> {
  const mark = markOf((await readText(host, firewallTableFile)) ?? '');
  const loaded = markOf((await loadedTable(host)) ?? '');
  const { stdout: ufw } = await host.run('ufw', ['status']);
  return [
    ...(mark !== undefined && mark === loaded
      ? []
      : [{ message: `the loaded table does not match /${firewallTableFile}` }]),
    ...(/^Status: active$/m.test(ufw) ? [] : [{ message: 'UFW is not active' }]),
  ];
}

const startTimeoutMs = 30_000;
const pauseMs = 250;

/**
 * Verifies that fail2ban responds, that each of our jails runs with our action, and that the sets for
 * bans exist.
 * @throws LandfallError STAGE_FAILED with all problems
 */
async function proveBans(host: Host): Promise<void> {
  const answers = await waitForAnswer(host);
  const problems = answers
    ? (await Promise.all(banningJails.map((jail) => checkJail(host, jail)))).flat()
    : [await whySilent(host)];
  if (problems.length === 0) return;
  throw new LandfallError('STAGE_FAILED', 'fail2ban is not protecting SSH and the gateway', {
    hint: {
      en: 'Check the logs: sudo journalctl -u fail2ban; sudo tail -n 50 /var/log/fail2ban.log',
      zh: '查看日志：sudo journalctl -u fail2ban；sudo tail -n 50 /var/log/fail2ban.log',
    },
    problems,
  });
}

/** The first package of Ubuntu 24.04, which needs modules that Python 3.12 has not (fail2ban#3487). */
const unusable = '1.0.2-3';

async function whySilent(host: Host): Promise<Problem> {
  const [{ installed } = {}] = await packageVersions(host, ['fail2ban']);
  if (installed !== unusable) return { message: 'fail2ban does not respond' };
  return {
    message: `fail2ban ${unusable} does not start with Python 3.12`,
    hint: 'Add noble-updates to the package sources, which has 1.0.2-3ubuntu0.1, and run `sudo apt-get install fail2ban`.',
  };
}

/** Waits for a jail: fail2ban responds to pings before it has loaded its settings, all at once. */
async function waitForAnswer(host: Host): Promise<boolean> {
  const end = performance.now() + startTimeoutMs;
  while (!(await host.succeeds('fail2ban-client', ['status', banningJails[0]]))) {
    if (await host.succeeds('systemctl', ['is-failed', '--quiet', banUnit])) return false;
    if (performance.now() > end) return await host.succeeds('fail2ban-client', ['ping']);
    await host.outside.measure(() => sleep(pauseMs));
  }
  return true;
}

async function checkJail(host: Host, jail: string): Promise<Problem[]> {
  const { stdout, code } = await host.run('fail2ban-client', ['get', jail, 'actions'], {
    accept: [255],
  });
  const acts = code === 0 && /\blandfall\b/.test(stdout);
  const sets = await Promise.all(
    [bannedSet(jail, 4), bannedSet(jail, 6)].map(async (set) => ({
      set,
      there: await host.succeeds('nft', ['list', 'set', ...firewallTable, set]),
    })),
  );
  return [
    ...(acts ? [] : [{ message: `the jail ${jail} is not running with Landfall's action` }]),
    ...sets
      .filter(({ there }) => !there)
      .map(({ set }) => ({ message: `the firewall has no set ${set}` })),
  ];
}
