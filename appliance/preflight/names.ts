import { isIP } from 'node:net';
import type { Problem } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { bareHost, isExempt } from '#http/no-proxy.ts';
import { exemptions } from '../host/download/route-environment.ts';
import { readText } from '../host/files.ts';
import type { Context } from '../stage/stage.ts';

const patienceSeconds = 20;

/**
 * The names that the server itself has to resolve: a proxy resolves for others. Where a proxy is
 * set, that is the proxy's own name and those that the site exempts from it.
 */
export function namesToResolve(site: Site): string[] {
  const { route, mirrors } = site;
  const places = [...site.release, mirrors.apt, mirrors.apt_security, mirrors.files]
    .concat(Object.values(mirrors.registries))
    .filter((url) => url !== undefined)
    .map((url) => new URL(url));
  const own =
    route.mode === 'direct'
      ? places
      : [new URL(route.url), ...places.filter((url) => isExempt(url, exemptions(site)))];
  return [...new Set(own.map(bareHost))].filter((name) => isIP(name) === 0);
}

/** Judges whether names can be resolved at all. One that cannot is a warning, all of them are not. */
export async function judgeNames({ host, site, report }: Context): Promise<Problem[]> {
  const names = namesToResolve(site);
  const answers = await Promise.all(
    names.map(async (name) => {
      const asking = host.run('getent', ['ahosts', name], {
        accept: [2],
        seconds: patienceSeconds,
      });
      return await asking.then(
        ({ code }) => code === 0,
        () => false,
      );
    }),
  );
  const lost = names.filter((_, index) => !answers[index]);
  if (lost.length === 0) return [];
  if (lost.length < names.length) {
    for (const name of lost) {
      report.warn({
        kind: 'name-resolution',
        subject: name,
        text: `the name ${name} cannot be resolved`,
      });
    }
    return [];
  }
  return [
    {
      message: `it cannot resolve names: tried ${lost.join(', ')}`,
      hint: `It asks ${(await nameServers(host)).join(', ') || 'no name server'}. Set one that answers, or name places by their address.`,
    },
  ];
}

async function nameServers(host: Context['host']): Promise<string[]> {
  const files = ['run/systemd/resolve/resolv.conf', 'etc/resolv.conf'];
  const texts = await Promise.all(files.map((file) => readText(host, file)));
  const text = texts.find((found) => found !== undefined) ?? '';
  return [...text.matchAll(/^nameserver\s+(\S+)/gm)].map(([, address = '']) => address);
}
