import { existsSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { renderResolved, resolvedFile } from '#contract/site/network/dns.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { canonicalAddress } from '#probe/dns/message.ts';
import { withBlock, withoutBlock } from '#proxy-settings/marked-block.ts';
import type { Host } from '../../../server/host/host.ts';
import {
  install,
  isActive,
  isPresent,
  type ManagedFile,
  missing,
  type Service,
} from '../../../server/host/service.ts';
import type { Measure } from '../../../server/stage/measure.ts';
import type { Context } from '../../../server/stage/stage.ts';
import { proveDns } from './prove-dns.ts';
import {
  isReplaced,
  isResolvConf,
  originalResolvConf,
  type ResolvConf,
  renderResolvConf,
  replaceResolvConf,
  restoreResolvConf,
} from './resolv-conf.ts';

const resolved = 'systemd-resolved.service';

/** Sets the DNS servers of the site, or restores those of the network. */
export const dnsMeasure: Measure = {
  async check(context) {
    const { host, site } = context;
    const { settings, resolvConf, restarts } = await planned(context);
    const todo = await missing(host, settings);
    if (resolvConf !== undefined && !(await isResolvConf(host, resolvConf))) {
      todo.push(
        inLanguage({
          en: 'set the DNS servers in /etc/resolv.conf',
          zh: '在 /etc/resolv.conf 中设置 DNS 服务器',
        }),
      );
    }
    if (resolvConf === undefined && (await isReplaced(host)))
      todo.push(inLanguage({ en: 'restore /etc/resolv.conf', zh: '恢复 /etc/resolv.conf' }));
    if (todo.length > 0 || !restarts || !site.dns) return todo;
    return (await isLoaded(host, site.dns))
      ? []
      : [inLanguage({ en: 'restart systemd-resolved', zh: '重启 systemd-resolved' })];
  },

  async apply(context) {
    if ((await dnsMeasure.check(context)).length === 0) return;
    const { host, site } = context;
    const { settings, resolvConf, restarts } = await planned(context);
    // DHCP clients first, so that they do not write the file afterwards.
    await install(host, settings);
    if (resolvConf === undefined) await restoreResolvConf(host);
    else await replaceResolvConf(host, resolvConf);
    if (!site.dns) await rmdir(host.path(dirname(resolvedFile))).catch(() => undefined);
    // Also drops cached answers of the previous servers.
    if (restarts) await restartResolved(host);
  },

  prove: (context) => proveDns(context),
};

/**
 * Restarts systemd-resolved, as often as the route changes: at the sixth restart within ten seconds,
 * systemd would stop it instead (systemd.unit(5), `StartLimitBurst=`), and the server find no names.
 */
export async function restartResolved(host: Host): Promise<void> {
  await host.succeeds('systemctl', ['reset-failed', resolved]);
  await host.run('systemctl', ['restart', resolved]);
}

interface Plan {
  readonly settings: Service;
  /** The text of /etc/resolv.conf; undefined if it must be as without Landfall. */
  readonly resolvConf: string | undefined;
  /** Whether systemd-resolved runs and must read its settings. */
  readonly restarts: boolean;
}

/** @throws LandfallError SERVER_UNFIT, STATE_INVALID */
async function planned({ host, site: { dns } }: Context): Promise<Plan> {
  const setting = {
    path: resolvedFile,
    sets: { en: 'the DNS servers for systemd-resolved', zh: 'systemd-resolved 的 DNS 服务器' },
  };
  if (dns === undefined) {
    const files = [...dhcpSettings(host, false), { ...setting, text: undefined }];
    const isSet = await isPresent(host, { files: files.slice(-1) });
    const restarts = isSet && (await isActive(host, resolved));
    return { settings: { files }, resolvConf: undefined, restarts };
  }
  const original = await originalResolvConf(host);
  const restarts = await isActive(host, resolved);
  const uses = restarts && leadsToResolved(original);
  if (dns.tls && !uses) throw withoutEncryption();
  return {
    settings: {
      files: [
        ...dhcpSettings(host, !uses),
        { ...setting, text: restarts ? renderResolved(dns) : undefined },
      ],
    },
    resolvConf: uses ? undefined : renderResolvConf(dns, original.text),
    restarts,
  };
}

/** Returns whether programs that read /etc/resolv.conf ask systemd-resolved; see its manual page. */
function leadsToResolved(original: ResolvConf): boolean {
  if (
    original.kind === 'link' &&
    /\/systemd\/resolve\/[a-z-]*resolv\.conf$/.test(original.target)
  ) {
    return true;
  }
  const servers = [...original.text.matchAll(/^\s*nameserver\s+(\S+)/gm)].map(
    ([, server]) => server,
  );
  return servers.length > 0 && servers.every((server) => server === '127.0.0.53');
}

async function isLoaded(host: Host, { nameserver }: NonNullable<Site['dns']>): Promise<boolean> {
  const { stdout } = await host.run('resolvectl', ['dns']);
  const line = stdout.split('\n').find((text) => text.startsWith('Global:')) ?? '';
  const loaded = line.replace('Global:', '').trim().split(/\s+/);
  return loaded.map(canonical).join(' ') === nameserver.map(canonical).join(' ');
}

/** Returns a server with its IPv6 address as systemd-resolved prints it (RFC 5952). */
function canonical(server: string): string {
  const [address = '', ...rest] = server.split('#');
  return [canonicalAddress(address), ...rest].join('#');
}

function withoutEncryption(): LandfallError {
  return new LandfallError(
    'SERVER_UNFIT',
    'DNS over TLS is not possible: systemd-resolved does not resolve the names of this server',
    {
      hint: {
        en: 'Install systemd-resolved and link /etc/resolv.conf to ../run/systemd/resolve/stub-resolv.conf, or set dns.tls to false.',
        zh: '安装 systemd-resolved，并把 /etc/resolv.conf 链接到 ../run/systemd/resolve/stub-resolv.conf；或把 dns.tls 设为 false。',
      },
    },
  );
}

/** Sorts after the hooks of resolvconf and systemd-resolved, which define the same function. */
const dhclientFolder = 'etc/dhcp/dhclient-enter-hooks.d';
const dhclientFile = `${dhclientFolder}/zz-landfall-dns`;
const dhcpcdHooks = 'usr/lib/dhcpcd/dhcpcd-hooks';
const dhcpcdFile = 'etc/dhcpcd.enter-hook';
const openresolvFile = 'etc/resolvconf.conf';

const of = (client: string) => ({
  en: `the DNS servers for ${client}`,
  zh: `${client} 的 DNS 服务器`,
});

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
