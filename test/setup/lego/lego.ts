import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { legoVersion } from '#contract/site/certificates/provider-table.ts';
import { cached } from '../cached.ts';
import type { Say } from '../say.ts';
import { Unmet } from '../unmet.ts';

/**
 * Providers in the lego of the tests. The Go module proxy does not have the libraries of all providers, so
 * the others are left out with lego's own build tags.
 */
const providers = ['cloudflare', 'dnsupdate', 'httpreq'];

/** What determines the program. */
export const legoBuild = { version: legoVersion, providers } as const;

/** The library of colored logs is not in the proxy either. The server uses JSON. */
const slogor = fileURLToPath(new URL('slogor', import.meta.url));

/**
 * Returns the path of lego, for containers too: it is a static program; compiles it the first time. It has
 * fewer providers than that of a release.
 * @throws Unmet without Go
 */
export async function provideLego(cache: string, say: Say): Promise<string> {
  const { failed } = await execa('go', ['version'], { reject: false });
  if (failed) throw new Unmet('lego is compiled with go, which is not installed');
  const folder = await cached(cache, 'lego', legoBuild, async (target) => {
    say('lego', 'compiled from the Go module proxy once, some minutes');
    await mkdir(target);
    const go = (...args: string[]) =>
      execa('go', args, { cwd: target, env: { CGO_ENABLED: '0', GOFLAGS: '-mod=mod' } });
    await go('mod', 'init', 'landfall.test/lego');
    const module = `github.com/go-acme/lego/${legoVersion.split('.')[0]}`;
    await go('mod', 'edit', '-require', `${module}@${legoVersion}`);
    await go('mod', 'edit', '-replace', `gitlab.com/greyxor/slogor=${slogor}`);
    const tags = ['lego_dnslight', ...providers.map((name) => `lego_dns_${name}`)].join();
    const flags = ['-trimpath', '-ldflags', `-s -w -X main.version=${legoVersion}`];
    await go('build', '-tags', tags, ...flags, '-o', join(target, 'program'), module);
  });
  return join(folder, 'program');
}
