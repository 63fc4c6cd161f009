import { singBoxTarball } from '#contract/bundle/bundle-paths.ts';
import { importedProxiesFile } from '#contract/server-paths.ts';
import { readProxies } from '#proxies/read-proxies.ts';
import type { ProbeClient } from '../../../../../appliance/stages/route/client/probe.ts';
import { contextFor } from '../../../context.ts';
import { type Answers, TemporaryHost } from '../../../temporary-host.ts';

/** Links of these proxies, with one password. */
const linksOf = (names: readonly string[]) =>
  names.map((name, index) => `trojan://s3cret@192.0.2.${index + 1}:443#${name}`).join('\n');

/** Returns the file of `landfall route import` with proxies of these names. */
export function imported(names: readonly string[]): string {
  const { settings } = readProxies(Buffer.from(linksOf(names)), {
    ...{ file: 'links', skip: false },
  });
  const date = '2026-01-02T03:04:05.000Z';
  return JSON.stringify({ version: 1, imported: date, source: { type: 'file' }, settings });
}

/** Returns a server with a proxy client whose proxies have these names. */
export function server(
  names: readonly string[],
  route: object = {},
  answers: Answers = {},
  files: Readonly<Record<string, string>> = {},
) {
  const host = TemporaryHost.with(
    {
      'release/runtime/sing-box': 'a program',
      ...(names.length > 0 ? { [importedProxiesFile]: imported(names) } : {}),
      ...files,
    },
    { systemctl: '', '/': '', ...answers },
  );
  const file = { path: singBoxTarball, size: 1, sha256: 'a'.repeat(64), offset: 0 };
  const context = {
    ...contextFor(host, {
      site: { route: { mode: 'client', ...route } },
      release: { files: [{ ...file, executable: false }] },
    }),
    releaseFolder: host.path('release'),
  };
  return { host, context };
}

/** Returns a probe for which only these proxies work, and the names that it tested. */
export function probeOf(works: readonly string[], read: () => string) {
  const tested: string[] = [];
  const probe: ProbeClient = async () => {
    const { tag } = JSON.parse(read()).outbounds[0];
    tested.push(tag);
    return works.includes(tag) ? undefined : 'no response within 45 s';
  };
  return { probe, tested };
}
