import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { briefSite } from '#contract/site/brief-site.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { secretNames } from '../../appliance/stages/secrets/secret-names.ts';
import { renderStack } from '../../appliance/stages/stack/render-stack.ts';
import { readSite } from '../../builder/inputs/config/site.ts';

const minimal = {
  release: ['https://downloads.example.com/landfall/'],
  admin: {
    ssh_keys: [
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 me@laptop',
    ],
  },
};

/** Returns a site as the server reads it, after YAML and user-data. */
export async function siteOnServer(site: object, allowRoutePassword = false): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-specification-'));
  try {
    const path = join(folder, 'site.yaml');
    await writeFile(path, stringify({ ...minimal, ...site }));
    const read = await readSite(path, { allowRoutePassword });
    return siteSchema.parse(JSON.parse(JSON.stringify(briefSite(read))));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns the files of the containers by path. Each secret is `secret-of-<name>`. */
export async function filesOf(site: object): Promise<Record<string, string>> {
  const onServer = await siteOnServer(site);
  const secrets = Object.fromEntries(
    secretNames(onServer).map(({ name }) => [name, `secret-of-${name}`]),
  );
  const server = { memory: 8 * 1024 ** 3, cpus: 4 };
  const files = renderStack({ site: onServer, secrets, server, images: [] });
  return Object.fromEntries(files.map(({ path, content }) => [path, content]));
}

/** compose.yaml of the release. */
export const stack = parse(
  readFileSync(new URL('../../compose/compose.yaml', import.meta.url), 'utf8'),
  { merge: true },
);

/** The environment of a service in compose.yaml, without overrides. */
export const environmentOf = (service: string): string[] =>
  stack.services[service].environment.map(withDefaults);

/** Replaces `${NAME:-default}` like Compose without overrides. */
export const withDefaults = (text: string) => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1');

/** Returns the variables in the `.env` of a site. */
export function environmentIn(text = ''): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^(\w+)='(.*)'$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
}
