import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { systemBundle } from '../../../../../appliance/server/host/download/route-environment.ts';
import { type Answers, TemporaryHost } from '../../../temporary-host.ts';

export const localFolder = 'usr/local/share/ca-certificates';
const publicAuthority = 'the public authorities\n';

/**
 * Returns a host with a stand-in of update-ca-certificates(8): it links the local certificates and
 * joins them in the bundle. Only `--fresh` removes the links of removed files.
 */
export function authorityHost(
  files: Readonly<Record<string, string>> = {},
  answers: Answers = {},
): TemporaryHost {
  const host: TemporaryHost = TemporaryHost.with(
    {
      [systemBundle]: publicAuthority,
      'usr/sbin/update-ca-certificates': '',
      [`${localFolder}/own.crt`]: 'the own authority\n',
      ...files,
    },
    { ...answers, 'update-ca-certificates': (line) => update(host, line.endsWith('--fresh')) },
  );
  update(host, true);
  return host;
}

function update(host: TemporaryHost, isFresh: boolean): string {
  const links = host.path('etc/ssl/certs');
  mkdirSync(links, { recursive: true });
  for (const entry of readdirSync(links, { withFileTypes: true })) {
    if (isFresh && entry.isSymbolicLink()) rmSync(join(links, entry.name));
  }
  const names = readdirSync(host.path(localFolder)).sort();
  for (const name of names) {
    const link = join(links, name.replace(/crt$/, 'pem'));
    const target = host.path(localFolder, name);
    if (!isLinkTo(link, target)) symlinkSync(target, link);
  }
  const local = names.map((name) => readFileSync(host.path(localFolder, name), 'utf8'));
  writeFileSync(host.path(systemBundle), publicAuthority + local.join(''));
  return '';
}

function isLinkTo(link: string, target: string): boolean {
  try {
    return readlinkSync(link) === target;
  } catch {
    return false;
  }
}
