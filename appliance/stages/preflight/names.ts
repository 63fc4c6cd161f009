import { isIP } from 'node:net';
import type { Problem } from '#contract/errors.ts';
import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import { registryMirrors } from '#contract/site/network/mirrors.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { bareHost, isExempt } from '#http/no-proxy.ts';
import { exemptions } from '../../server/host/download/route-environment.ts';
import { readText } from '../../server/host/files.ts';
import type { Context } from '../../server/stage/stage.ts';

const timeoutSeconds = 20;

/**
 * Returns the names that the server resolves itself. With a proxy, these are the proxy and the hosts
 * that the site exempts from it; the proxy resolves all others. The bundle is here already, so the
 * folders of the release are left out.
 */
export function namesToResolve(site: Site): string[] {
  const { mirrors } = site;
  const route = effectiveRoute(site, 'host');
  const urls = [mirrors.apt, mirrors.apt_security, mirrors.files]
    .concat(registryMirrors(mirrors.registries).map(([, mirror]) => mirror))
    .filter((url) => url !== undefined)
    .map((url) => new URL(url));
  const own =
    route.mode === 'direct'
      ? urls
      : [new URL(route.url), ...urls.filter((url) => isExempt(url, exemptions(site)))];
  return [...new Set(own.map(bareHost))].filter((name) => isIP(name) === 0);
}

/** Checks DNS resolution. One name that fails is a warning; all of them are an error. */
export async function checkNames({ host, site, report }: Context): Promise<Problem[]> {
  const names = namesToResolve(site);
  const options = { seconds: timeoutSeconds };
  const answers = await Promise.all(
    names.map((name) => host.succeeds('getent', ['ahosts', name], options).catch(() => false)),
  );
  const failed = names.filter((_, index) => !answers[index]);
  if (failed.length === 0) return [];
  if (failed.length < names.length) {
    for (const name of failed) {
      report.warn({
        kind: 'name-resolution',
        subject: name,
        text: { en: `DNS resolution failed: ${name}`, zh: `DNS 解析失败：${name}` },
      });
    }
    return [];
  }
  const servers = (await nameServers(host)).join(', ');
  return [
    {
      message: inLanguage({
        en: `DNS resolution failed: ${failed.join(', ')}`,
        zh: `DNS 解析失败：${failed.join('、')}`,
      }),
      hint: inLanguage({
        en: `Check the name servers (${servers || 'none configured'}), or use IP addresses in the site.`,
        zh: `检查 DNS 服务器（${servers || '没有设置'}），或在站点中使用 IP 地址。`,
      }),
    },
  ];
}

async function nameServers(host: Context['host']): Promise<string[]> {
  const files = ['run/systemd/resolve/resolv.conf', 'etc/resolv.conf'];
  const texts = await Promise.all(files.map((file) => readText(host, file)));
  const text = texts.find((found) => found !== undefined) ?? '';
  return [...text.matchAll(/^nameserver\s+(\S+)/gm)].map(([, address = '']) => address);
}
