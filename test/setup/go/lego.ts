import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { legoVersion } from '#contract/site/certificates/provider-table.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import type { Say } from '../say.ts';
import { buildGoProgram, type GoProgram } from './build.ts';

/**
 * Providers in the lego of the tests. The Go module proxy does not have the libraries of all providers, so
 * the others are left out with lego's own build tags.
 */
const providers = ['alidns', 'cloudflare', 'dnsupdate', 'httpreq'];

const folderOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const module = `github.com/go-acme/lego/${legoVersion.split('.')[0]}`;

/** How lego is compiled. */
export const legoBuild: GoProgram = {
  name: 'lego',
  path: module,
  module,
  version: legoVersion,
  tags: ['lego_dnslight', ...providers.map((name) => `lego_dns_${name}`)],
  linkFlags: [`-X main.version=${legoVersion}`],
  // Neither is in the proxy: the library of colored logs, and the actions of Alibaba Cloud DNS.
  replaced: {
    'gitlab.com/greyxor/slogor': folderOf('slogor'),
    'github.com/go-acme/alidns-20150109/v5': folderOf('alidns'),
  },
  identity: sha256Hex(
    ['slogor/slogor.go', 'alidns/client/client.go']
      .map((path) => readFileSync(folderOf(path), 'utf8'))
      .join(),
  ),
};

/**
 * Returns the path of lego, which has fewer providers than that of a release.
 * @throws Unmet without Go
 */
export async function provideLego(cache: string, say: Say): Promise<string> {
  return await buildGoProgram(cache, legoBuild, say);
}

const pebbleModule = 'github.com/letsencrypt/pebble/v2';

/**
 * Returns the path of a Pebble with profiles of certificates, which that of Debian does not have.
 * @throws Unmet without Go
 */
export async function providePebbleWithProfiles(cache: string, say: Say): Promise<string> {
  const path = `${pebbleModule}/cmd/pebble`;
  const version = 'v2.10.3';
  const name = 'pebble-profiles';
  return await buildGoProgram(cache, { name, path, module: pebbleModule, version }, say);
}
