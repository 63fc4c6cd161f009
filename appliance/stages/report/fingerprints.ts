import { X509Certificate } from 'node:crypto';
import { stackFolder } from '#contract/server-paths.ts';
import type { Site } from '#contract/site/site.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { isBrowserTrusted } from '../../server/certificates/trust.ts';
import { readText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { sshdSettings } from '../../server/host/sshd/sshd.ts';
import { type BilingualWarning, storedWarning } from '../../server/stage/reporter.ts';
import type { Context } from '../../server/stage/stage.ts';
import type { Report } from './report.ts';
import { updateReport } from './stored-report.ts';

/**
 * Returns the fingerprints of sshd's host keys, as `ssh` shows them at the first login.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
 */
export async function sshFingerprints(host: Host): Promise<string[]> {
  const keys = (await sshdSettings(host)).get('hostkey') ?? [];
  const lines: string[] = [];
  for (const key of keys) {
    const { stdout } = await host.run('ssh-keygen', ['-l', '-f', `${key}.pub`], { accept: [255] });
    const [, fingerprint, kind] = /^\d+ (\S+).* \((\S+)\)$/.exec(stdout.trim()) ?? [];
    if (fingerprint && kind) lines.push(`${kind} ${fingerprint}`);
  }
  return lines;
}

/**
 * The certificate for the site's names and addresses. The gateway's other certificate is for requests
 * with unknown names.
 */
const chain = `${stackFolder}/gateway/tls/site/fullchain.pem`;

/** Returns the served certificate, so that users can compare it with the one in the browser. */
export async function certificate(host: Host, site: Site): Promise<Report['certificate']> {
  const pem = (await readText(host, chain)) ?? '';
  const parsed = parse(pem);
  return parsed ? { ...describe(parsed, site), trusted: isBrowserTrusted(pem) } : null;
}

/** Parses the first certificate of a chain, which is the server certificate. */
function parse(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function describe(
  parsed: X509Certificate,
  { tls }: Site,
): Omit<NonNullable<Report['certificate']>, 'trusted'> {
  const { subjectAltName = '', issuer, subject, validToDate, fingerprint256 } = parsed;
  const own = issuer === subject || /landfall/i.test(issuer);
  return {
    names: plainLine(subjectAltName.split(', ').map(nameOf).join(', ')),
    issuer: plainLine(issuer),
    until: validToDate.toISOString(),
    sha256: fingerprint256,
    own,
    acme: !own && tls.mode.startsWith('acme'),
  };
}

/** Parses `DNS:chat.example.com` or `IP Address:2001:DB8:0:0:0:0:0:1`. Shortens IPv6 addresses. */
function nameOf(entry: string): string {
  const [, kind, name = ''] = /^(DNS|IP Address):(.*)$/.exec(entry) ?? [];
  if (kind !== 'IP Address' || !name.includes(':')) return name;
  return URL.canParse(`http://[${name}]`)
    ? new URL(`http://[${name}]`).hostname.slice(1, -1)
    : name;
}

/**
 * Updates the certificate and its warnings in the report. The DNS records are often created after the
 * server, so a timer gets the certificate after the first boot.
 * @param open current warnings about the certificate
 */
export async function updateCertificate(
  { host, site }: Pick<Context, 'host' | 'site'>,
  open: readonly BilingualWarning[],
): Promise<void> {
  const now = open
    .map((warning) => storedWarning(warning, site.language))
    .map((warning) => ({ ...warning, text: plainLine(warning.text, 500) }));
  await updateReport(host, { certificate: await certificate(host, site) }, (before) => [
    ...before.filter(({ kind }) => kind !== 'certificate'),
    ...now,
  ]);
}
