import { LandfallError } from '#contract/errors.ts';
import { firewallSettingsFile, firewallTableFile } from '#contract/server-paths.ts';
import { type Opening, parseOpening } from '#contract/site/opening.ts';
import type { Text } from '#contract/text/language.ts';
import { readText, withCandidate, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { install, isInPlace, type Service, unitFileOf } from '../../server/host/service.ts';
import { changeUnderUndo, refuseUnconfirmed, restoreScript } from '../../server/host/undo/undo.ts';
import {
  type FirewallSettings,
  formatSettings,
  refuseContainerUplinks,
  sshOpening,
} from './facts.ts';
import { removeForeignRules } from './foreign-rules.ts';
import { firewallTable, firewallUndo, firewallUnit, loadTable } from './public.ts';
import { type FirewallFacts, renderTable } from './table.ts';
import { equal, removeFromUfw, setUpUfw } from './ufw.ts';

const candidateFile = 'run/landfall/firewall.nft';

export interface FirewallChange {
  readonly facts: FirewallFacts;
  /** New settings of the administrator; unchanged if undefined. */
  readonly settings?: FirewallSettings;
  /** An opening to remove from UFW, besides those that our table no longer has. */
  readonly closes?: Opening;
}

/**
 * Changes our table and UFW. The table is validated first and loaded in one transaction.
 * @param undoAfter seconds until the change is reverted unless it is confirmed; undefined: permanent
 * @param subject what the administrator must confirm; undefined: the first boot confirms it
 * @throws LandfallError FIREWALL_INVALID; UNCONFIRMED while an earlier change is not confirmed
 */
export async function changeFirewall(
  host: Host,
  change: FirewallChange,
  undoAfter?: number,
  subject?: Text,
): Promise<void> {
  await refuseUnconfirmed(host, firewallUndo, 'an earlier change of the firewall');
  await refuseInvalid(host, change.facts);
  if (undoAfter === undefined) return await apply(host, change);
  const script = await renderUndo(host);
  const undo = { name: firewallUndo, script, seconds: undoAfter, subject };
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
  await removeForeignRules(host);
  await removeFromUfw(host, closed);
}

async function installUnit(host: Host): Promise<void> {
  if (await isInPlace(host, firewallService)) return;
  await install(host, firewallService);
  await host.run('systemctl', ['start', firewallUnit]);
}

async function refuseInvalid(host: Host, facts: FirewallFacts): Promise<void> {
  await refuseContainerUplinks(host);
  try {
    await withCandidate(host, candidateFile, { text: renderTable(facts) }, (path) =>
      host.run('nft', ['--check', '--file', path]),
    );
  } catch (cause) {
    throw new LandfallError('FIREWALL_INVALID', 'the firewall rules do not load on this system', {
      hint: {
        en: 'Report this with the output and the version of nft. Nothing was changed.',
        zh: '请附上输出和 nft 的版本报告。没有更改任何内容。',
      },
      problems: cause instanceof LandfallError ? [cause, ...cause.problems] : [],
      cause,
    });
  }
}

/** Returns the openings of the current table, SSH included, that a table for these facts lacks. */
export async function closedBy(host: Host, facts: FirewallFacts): Promise<Opening[]> {
  const before = openedByTable((await readText(host, firewallTableFile)) ?? '');
  return before.filter((opening) => !isOpenedBy(facts, opening));
}

function isOpenedBy({ ssh, openings }: FirewallFacts, opening: Opening): boolean {
  return [...ssh.map(sshOpening), ...openings].some((each) => equal(each, opening));
}

/** Parses the openings of a table made by `renderTable`. */
export function openedByTable(table: string): Opening[] {
  const rules = table.matchAll(
    /^\t\t(?:ip6? saddr (\S+) )?(tcp|udp) dport ([0-9]+(?:-[0-9]+)?) accept$/gm,
  );
  return [...rules].flatMap(([, from, protocol, ports]) => {
    const opening = parseOpening(`${ports}/${protocol}`);
    if (opening === undefined) return [];
    return [from === undefined ? opening : { ...opening, from }];
  });
}

/** All files that a change of the firewall modifies, with their permissions. */
const touched: ReadonlyArray<readonly [string, number]> = [
  [firewallSettingsFile, 0o644],
  [firewallTableFile, 0o644],
  ['etc/default/ufw', 0o644],
  ['etc/ufw/ufw.conf', 0o644],
  ['etc/ufw/user.rules', 0o640],
  ['etc/ufw/user6.rules', 0o640],
];

/** Renders the script that restores the current state of UFW and our table. */
export async function renderUndo(host: Host): Promise<string> {
  const files = await Promise.all(touched.map(([path, mode]) => restoreScript(host, path, mode)));
  const table = host.path(firewallTableFile);
  return `PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
${files.join('')}if [ -e ${table} ]; then nft --file ${table}
else nft delete table ${firewallTable.join(' ')} 2>/dev/null
fi
if grep -qs '^ENABLED=yes' ${host.path('etc/ufw/ufw.conf')}; then ufw reload
else ufw --force disable
fi`;
}

const load = `/bin/sh -c 'test ! -e /${firewallTableFile} || exec nft --file /${firewallTableFile}'`;
/** fail2ban restores its bans when it starts. */
const ban = '-systemctl --no-block try-restart fail2ban.service';

/**
 * Renders the unit that loads the table before the network, UFW and Docker, and after unconfirmed
 * changes are reverted. If the table does not load, Docker does not start, because its ports would be
 * open.
 */
function renderFirewallUnit(): string {
  return `[Unit]
Description=Landfall firewall
DefaultDependencies=no
After=local-fs.target nftables.service landfall-undo.service
Before=network-pre.target ufw.service docker.service shutdown.target
Wants=network-pre.target
Conflicts=shutdown.target
PartOf=nftables.service
ReloadPropagatedFrom=nftables.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=${load}
ExecStartPost=${ban}
ExecReload=${load}

[Install]
WantedBy=sysinit.target
RequiredBy=docker.service
`;
}

/**
 * Renders a drop-in for nftables.service, which flushes all tables on start, reload and stop. These
 * lines run after each flush; our own unit is not notified of a start, and its reload may run before
 * the flush.
 */
function renderNftablesDropIn(): string {
  return `# Made by Landfall: restores its table and the bans after each flush.
[Service]
ExecStartPost=-${load}
ExecStartPost=${ban}
ExecReload=-${load}
ExecReload=${ban}
ExecStopPost=-${load}
`;
}

/** The unit that loads the table at boot, and after each flush by nftables.service. */
export const firewallService = {
  files: [
    { path: 'etc/systemd/system/nftables.service.d/landfall.conf', text: renderNftablesDropIn() },
    { path: unitFileOf(firewallUnit), text: renderFirewallUnit() },
  ],
  units: [{ name: firewallUnit }],
} satisfies Service;
