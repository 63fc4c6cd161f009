import { LandfallError, type Problem } from '#contract/errors.ts';
import { firewallTableFile } from '#contract/server-paths.ts';
import { readText } from '../host/files.ts';
import { firewallUndo, loadedTable, markOf } from '../host/firewall-table.ts';
import type { Host } from '../host/host.ts';
import { probeFromOutside } from '../host/outside/probe.ts';
import { sshProbeTargets, unreachableSsh } from '../host/sshd/ssh-from-outside.ts';
import { confirm, unconfirmed } from '../host/undo/undo.ts';

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
  const problems = [...(await judgeSshAccess(host)), ...(await judgeStates(host))];
  if (problems.length === 0) return await confirm(host, firewallUndo);
  throw new LandfallError('FIREWALL_INVALID', 'the new firewall is not confirmed', {
    hint: 'Wait: the change is reverted in some minutes, then the first boot retries.',
    problems,
  });
}

async function judgeSshAccess(host: Host): Promise<Problem[]> {
  return unreachableSsh(await probeFromOutside(host, await sshProbeTargets(host)));
}

async function judgeStates(host: Host): Promise<Problem[]> {
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
