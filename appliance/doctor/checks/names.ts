import { isIP } from 'node:net';
import type { Site } from '#contract/site/site.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { readText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import { namesToResolve } from '../../preflight/names.ts';
import type { Check, Finding } from '../finding.ts';
import { isUnusable } from '../unusable-address.ts';

/** Seconds. */
const timeout = 10;

/** Reports names of other hosts that do not resolve, or resolve to a wrong address. */
export const namesCheck: Check = {
  name: 'names',
  root: false,
  needs: 'site',
  run: async ({ host, site }) => {
    const fixed = fixedNames((await readText(host, 'etc/hosts')) ?? '');
    const found = await Promise.all(
      foreignNames(site).map((name) => judgeName(host, name, fixed.get(name))),
    );
    return found.flat();
  },
};

/** Returns the names that this server resolves: sources, mirrors and, on a direct route, providers. */
function foreignNames(site: Site): string[] {
  const providers = Object.values(site.providers).map(({ base_url }) => new URL(base_url).hostname);
  const direct = site.route.mode === 'direct' ? providers : [];
  const names = [...namesToResolve(site), ...direct];
  return [...new Set(names)].filter((name) => isIP(name.replace(/^\[|\]$/g, '')) === 0);
}

async function judgeName(host: Host, name: string, fixed: string | undefined): Promise<Finding[]> {
  const { code, stdout } = await host.run('getent', ['ahosts', name], {
    accept: [2],
    seconds: timeout,
  });
  const source = fixed === undefined ? '' : ', as /etc/hosts says';
  if (code !== 0) {
    const text = `the name ${name} does not resolve`;
    return [{ code: 'NAME_UNRESOLVED', subject: name, text }];
  }
  const addresses = stdout.split('\n').map((line) => plainLine(line.split(/\s+/)[0] ?? ''));
  const wrong = [...new Set(addresses)].filter((address) => isUnusable(address));
  if (wrong.length === 0) return [];
  const text = `the name ${name} resolves to ${wrong.join(', ')}${source}, which is no host of the internet`;
  return [{ code: 'NAME_POLLUTED', subject: name, text }];
}

/** Returns the addresses of the names in hosts(5). */
function fixedNames(text: string): Map<string, string> {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  return new Map(lines.flatMap(([address = '', ...names]) => names.map((name) => [name, address])));
}
