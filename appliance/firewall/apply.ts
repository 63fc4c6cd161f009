import { LandfallError } from '#contract/errors.ts';
import { firewallSettingsFile, firewallTableFile } from '#contract/server-paths.ts';
import type { Opening } from '#contract/site/opening.ts';
import { removeFile, writeText } from '../host/files.ts';
import { firewallUndo, loadTable } from '../host/firewall-table.ts';
import type { Host } from '../host/host.ts';
import { changeUnderUndo, unconfirmed } from '../host/undo/undo.ts';
import { closedBy, isOpenedBy } from './opened-before.ts';
import { type FirewallFacts, renderTable } from './render-table.ts';
import { renderUndo } from './render-undo.ts';
import { type FirewallSettings, formatSettings } from './settings.ts';
import { removeFromUfw, setUpUfw } from './ufw.ts';
import { installUnit } from './unit.ts';
import { refuseContainerUplinks } from './uplinks.ts';

const candidateFile = 'run/landfall/firewall.nft';

export interface FirewallChange {
  readonly facts: FirewallFacts;
  /** New settings of the administrator; unchanged if undefined. */
  readonly settings?: FirewallSettings;
  /** An opening to remove from UFW, besides those that our table no longer has. */
  readonly closes?: Opening;
}

/**
 * Changes our table and UFW permanently. The table is validated first and loaded in one transaction.
 * @throws LandfallError FIREWALL_INVALID; UNCONFIRMED while an earlier change is not confirmed
 */
export async function changeFirewall(host: Host, change: FirewallChange): Promise<void> {
  await refuseUnconfirmed(host);
  await refuseInvalid(host, change.facts);
  await apply(host, change);
}

/**
 * Changes the firewall and reverts the change after so many seconds unless it is confirmed.
 * @throws LandfallError FIREWALL_INVALID; UNCONFIRMED while an earlier change is not confirmed
 */
export async function changeFirewallUnderUndo(
  host: Host,
  change: FirewallChange,
  seconds: number,
): Promise<void> {
  await refuseUnconfirmed(host);
  await refuseInvalid(host, change.facts);
  const undo = { name: firewallUndo, script: await renderUndo(host), seconds };
  await changeUnderUndo(host, undo, () => apply(host, change));
}

async function apply(host: Host, { facts, settings, closes }: FirewallChange): Promise<void> {
  const closed = await closedBy(host, facts);
  if (closes && !isOpenedBy(facts, closes)) closed.push(closes);
  if (settings) await writeText(host, firewallSettingsFile, formatSettings(settings));
  await writeText(host, firewallTableFile, renderTable(facts));
  await loadTable(host);
  await installUnit(host);
  await setUpUfw(host, facts);
  await removeFromUfw(host, closed);
}

/** Allows one change at a time, so that it is clear what is confirmed or reverted. */
async function refuseUnconfirmed(host: Host): Promise<void> {
  if (!(await unconfirmed(host)).includes(firewallUndo)) return;
  throw new LandfallError('UNCONFIRMED', 'an earlier change of the firewall is not confirmed', {
    hint: 'Log in again and run `sudo landfall confirm`, or wait until the change is reverted.',
  });
}

async function refuseInvalid(host: Host, facts: FirewallFacts): Promise<void> {
  await refuseContainerUplinks(host);
  await writeText(host, candidateFile, renderTable(facts), { mode: 0o600 });
  try {
    await host.run('nft', ['--check', '--file', host.path(candidateFile)]);
  } catch (cause) {
    throw new LandfallError('FIREWALL_INVALID', 'the firewall rules do not load on this system', {
      hint: 'Report this with the output and the version of nft. Nothing was changed.',
      problems: cause instanceof LandfallError ? [cause, ...cause.problems] : [],
      cause,
    });
  } finally {
    await removeFile(host, candidateFile);
  }
}
