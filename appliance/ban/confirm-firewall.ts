import { LandfallError, type Problem } from '#contract/errors.ts';
import { firewallTableFile } from '#contract/server-paths.ts';
import { readText } from '../host/files.ts';
import { firewallUndo, loadedTable, markOf } from '../host/firewall-table.ts';
import type { Host } from '../host/host.ts';
import { probeFromOutside } from '../host/outside/probe.ts';
import { deafPlaces, sshPlaces } from '../host/sshd/ssh-from-outside.ts';
import { confirm, unconfirmed } from '../host/undo/undo.ts';

/** Whether the stage before this one changed the firewall and nobody confirmed that yet. */
export async function isFirewallUnconfirmed(host: Host): Promise<boolean> {
  return (await unconfirmed(host)).includes(firewallUndo);
}

/**
 * Confirms a change of the firewall once it has proved that the owner can still come in: SSH answers
 * from outside over each version of IP that sshd listens on, and both firewalls are as their settings
 * say.
 * @throws LandfallError FIREWALL_INVALID; the change then undoes itself
 */
export async function confirmFirewall(host: Host): Promise<void> {
  const problems = [...(await judgeWayIn(host)), ...(await judgeStates(host))];
  if (problems.length === 0) return await confirm(host, firewallUndo);
  throw new LandfallError('FIREWALL_INVALID', 'the new firewall is not confirmed', {
    hint: 'It undoes itself in some minutes, and the first boot tries again.',
    problems,
  });
}

async function judgeWayIn(host: Host): Promise<Problem[]> {
  return deafPlaces(await probeFromOutside(host, await sshPlaces(host)));
}

async function judgeStates(host: Host): Promise<Problem[]> {
  const mark = markOf((await readText(host, firewallTableFile)) ?? '');
  const loaded = markOf((await loadedTable(host)) ?? '');
  const { stdout: ufw } = await host.run('ufw', ['status']);
  return [
    ...(mark !== undefined && mark === loaded
      ? []
      : [{ message: `the table that is loaded is not that of /${firewallTableFile}` }]),
    ...(/^Status: active$/m.test(ufw) ? [] : [{ message: 'UFW is not active' }]),
  ];
}
