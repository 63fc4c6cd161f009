import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { withBlock, withoutBlock } from '#proxy-settings/marked-block.ts';
import { readText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import type { Setting } from '../setting.ts';

/** Sorts after the hooks of resolvconf and systemd-resolved, which define the same function. */
const dhclientFolder = 'etc/dhcp/dhclient-enter-hooks.d';
const dhclientFile = `${dhclientFolder}/zz-landfall-dns`;
const dhcpcdHooks = 'usr/lib/dhcpcd/dhcpcd-hooks';
const dhcpcdFile = 'etc/dhcpcd.enter-hook';
const openresolvFile = 'etc/resolvconf.conf';

const subject = 'the DNS servers';

/**
 * Returns the settings that stop DHCP clients from writing /etc/resolv.conf: dhclient, dhcpcd and
 * openresolv. Debian's resolvconf writes it only while it is a link to its own file.
 * @param stopped whether they must not write it
 */
export async function dhcpSettings(host: Host, stopped: boolean): Promise<Setting[]> {
  const dhclient = {
    ...{ path: dhclientFile, purpose: 'dhclient', subject, mode: 0o644 },
    text: stopped
      ? '# Made by Landfall: keeps /etc/resolv.conf.\nmake_resolv_conf() { :; }\n'
      : undefined,
  };
  return [
    ...(existsSync(host.path(dhclientFolder)) ? [dhclient] : []),
    // dhcpcd reads this file for each event, so it needs no restart.
    ...(await inBlock(host, stopped && existsSync(host.path(dhcpcdHooks)), {
      ...{ path: dhcpcdFile, purpose: 'dhcpcd' },
      line: 'skip_hooks="$skip_hooks resolv.conf"',
    })),
    ...(await inBlock(host, stopped && existsSync(host.path(openresolvFile)), {
      ...{ path: openresolvFile, purpose: 'openresolv' },
      line: 'resolv_conf=/run/resolvconf/resolv.conf',
    })),
  ];
}

/** Returns the setting of a line in a file of the administrator; none if there is nothing to do. */
async function inBlock(
  host: Host,
  wanted: boolean,
  { path, purpose, line }: { path: string; purpose: string; line: string },
): Promise<Setting[]> {
  const current = await readText(host, path);
  const mode = current === undefined ? 0o644 : (await stat(host.path(path))).mode & 0o7777;
  const setting = { path, purpose, subject, mode };
  if (wanted) return [{ ...setting, text: withBlock(current ?? '', `${line}\n`) }];
  if (current === undefined) return [];
  // The file exists only for our block.
  return [{ ...setting, text: withoutBlock(current) || undefined }];
}
