import { existsSync } from 'node:fs';
import { withBlock, withoutBlock } from '#proxy-settings/marked-block.ts';
import type { Host } from '../../host/host.ts';
import type { ManagedFile } from '../../host/service.ts';

/** Sorts after the hooks of resolvconf and systemd-resolved, which define the same function. */
const dhclientFolder = 'etc/dhcp/dhclient-enter-hooks.d';
const dhclientFile = `${dhclientFolder}/zz-landfall-dns`;
const dhcpcdHooks = 'usr/lib/dhcpcd/dhcpcd-hooks';
const dhcpcdFile = 'etc/dhcpcd.enter-hook';
const openresolvFile = 'etc/resolvconf.conf';

const of = (client: string) => `the DNS servers for ${client}`;

/**
 * Returns the settings that stop DHCP clients from writing /etc/resolv.conf: dhclient, dhcpcd and
 * openresolv. Debian's resolvconf writes it only while it is a link to its own file.
 * @param stopped whether they must not write it
 */
export function dhcpSettings(host: Host, stopped: boolean): ManagedFile[] {
  const dhclient = {
    ...{ path: dhclientFile, sets: of('dhclient') },
    text: stopped
      ? '# Made by Landfall: keeps /etc/resolv.conf.\nmake_resolv_conf() { :; }\n'
      : undefined,
  };
  return [
    ...(existsSync(host.path(dhclientFolder)) ? [dhclient] : []),
    {
      // dhcpcd reads this file for each event, so it needs no restart.
      ...{ path: dhcpcdFile, sets: of('dhcpcd') },
      text: inBlock(
        stopped && existsSync(host.path(dhcpcdHooks)),
        'skip_hooks="$skip_hooks resolv.conf"',
      ),
    },
    {
      ...{ path: openresolvFile, sets: of('openresolv') },
      text: inBlock(
        stopped && existsSync(host.path(openresolvFile)),
        'resolv_conf=/run/resolvconf/resolv.conf',
      ),
    },
  ];
}

/** Returns the edit of a file of the administrator that adds or removes a line. */
function inBlock(isSet: boolean, line: string): Exclude<ManagedFile['text'], string> {
  return (current) => {
    if (isSet) return withBlock(current ?? '', `${line}\n`);
    // The file may exist only for our block.
    return current === undefined ? undefined : withoutBlock(current) || undefined;
  };
}
