import { X509Certificate } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { stackFolder } from '#contract/server-paths.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { plainLine } from '../host/plain-line.ts';
import type { Report } from './report.ts';

const sshFolder = 'etc/ssh';

/**
 * The fingerprints of the SSH host keys, as `ssh` shows them at the first login.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
 */
export async function sshFingerprints(host: Host): Promise<string[]> {
  const names = await readdir(host.path(sshFolder)).catch(() => []);
  const keys = names.filter((name) => /^ssh_host_\w+_key\.pub$/.test(name)).sort();
  const lines: string[] = [];
  for (const key of keys) {
    const { stdout } = await host.run('ssh-keygen', ['-l', '-f', host.path(sshFolder, key)]);
    const [, , fingerprint = '', kind = ''] = /^(\d+) (\S+).* \((\S+)\)$/.exec(stdout.trim()) ?? [];
    if (fingerprint) lines.push(`${kind} ${fingerprint}`);
  }
  return lines;
}

/** Where the gateway has its certificates: that of the site's names, and that of all else. */
const chains = ['gateway/tls/site/fullchain.pem', 'gateway/tls/other/fullchain.pem'];

/** The certificates that browsers meet, so that a person can compare what the browser shows. */
export async function certificates(host: Host): Promise<Report['certificates']> {
  const found: Report['certificates'] = [];
  for (const chain of chains) {
    const pem = await readText(host, `${stackFolder}/${chain}`);
    const certificate = pem === undefined ? undefined : parse(pem);
    if (certificate) found.push(describe(certificate));
  }
  return found.filter(
    ({ sha256 }, index) => found.findIndex((other) => other.sha256 === sha256) === index,
  );
}

/** The first of a chain is the server's own. */
function parse(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function describe(certificate: X509Certificate): Report['certificates'][number] {
  const { subjectAltName = '', issuer, subject, validToDate, fingerprint256 } = certificate;
  return {
    names: plainLine(subjectAltName.replaceAll(/(?:DNS|IP Address):/g, '')),
    issuer: plainLine(issuer),
    until: validToDate.toISOString(),
    sha256: fingerprint256,
    own: issuer === subject || /landfall/i.test(issuer),
  };
}
