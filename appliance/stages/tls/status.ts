import { originOf } from '#contract/site/endpoints.ts';
import { publicPorts } from '#contract/site/network/public-ports.ts';
import type { Site } from '#contract/site/site.ts';
import { hintsOf, messageOf } from '#contract/text/chinese-errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { certificateNames, sitePairPath } from '../../server/certificates/gateway-pairs.ts';
import { authorityFingerprint } from '../../server/certificates/internal-authority.ts';
import { leafOf, renewalTime } from '../../server/certificates/pair.ts';
import { readPair } from '../../server/certificates/pair-folder.ts';
import { isBrowserTrusted } from '../../server/certificates/trust.ts';
import type { Host } from '../../server/host/host.ts';
import type { Context } from '../../server/stage/stage.ts';
import { authorityPath } from '../stack/gateway/certificate-files.ts';
import { type Attempts, storedAttempts } from './attempts.ts';
import { authorityOf } from './authority.ts';

/** Status of the site's certificate. Times are in ISO 8601. */
interface TlsStatus {
  readonly mode: string;
  /** Directory URL of the ACME authority. */
  readonly authority: string | null;
  readonly certificate: {
    readonly names: string;
    readonly issuer: string;
    readonly until: string;
    readonly renewal: string;
    readonly sha256: string;
    readonly trusted: boolean;
  } | null;
  /** URL and fingerprint of the server's own authority. */
  readonly internal: { readonly url: string; readonly sha256: string } | null;
  readonly missing: Attempts | null;
}

/** Reads the status of the certificate. Changes nothing and sends no requests. */
export async function tlsStatus({
  host,
  site,
}: Pick<Context, 'host' | 'site'>): Promise<TlsStatus> {
  return {
    mode: site.tls.mode,
    authority: authorityOf(site)?.url ?? null,
    certificate: describeChain((await readPair(host, sitePairPath))?.chain ?? ''),
    internal: site.tls.mode === 'internal' ? await internalAuthority(host, site) : null,
    missing: (await storedAttempts.read(host)) ?? null,
  };
}

/** The URL has no TLS if port 80 is open, because the client does not trust the server's certificate yet. */
async function internalAuthority(host: Host, site: Site): Promise<TlsStatus['internal']> {
  const sha256 = await authorityFingerprint(host);
  const [name = '127.0.0.1'] = await certificateNames(host, site);
  const isOpen = publicPorts(site).http !== undefined;
  const base = originOf(isOpen ? { ...site, tls: { ...site.tls, mode: 'off' } } : site, name);
  return sha256 === undefined ? null : { url: `${base}${authorityPath}`, sha256 };
}

function describeChain(chain: string): TlsStatus['certificate'] {
  const leaf = leafOf(chain);
  if (!leaf) return null;
  return {
    names: plainLine(leaf.subjectAltName ?? '', 1000),
    issuer: plainLine(leaf.issuer),
    until: leaf.validToDate.toISOString(),
    renewal: renewalTime(leaf).toISOString(),
    sha256: leaf.fingerprint256,
    trusted: isBrowserTrusted(chain),
  };
}

/** Formats an ISO time for people. */
function shown(time: string): string {
  return formatTime(new Date(time));
}

const labels = {
  mode: { en: 'mode', zh: '方式' },
  authority: { en: 'authority', zh: '颁发机构' },
  names: { en: 'names', zh: '名称' },
  issuer: { en: 'issued by', zh: '签发者' },
  browsers: { en: 'browsers', zh: '浏览器' },
  until: { en: 'valid until', zh: '有效期至' },
  root: { en: 'root', zh: '根证书' },
  missing: { en: 'missing', zh: '缺少' },
  next: { en: 'next attempt', zh: '下次申请' },
};
const trusted = { en: 'trusted', zh: '信任' };
const notTrusted = { en: 'not trusted', zh: '不信任' };

function untilText({ until, renewal }: NonNullable<TlsStatus['certificate']>): string {
  return inLanguage({
    en: `${shown(until)}, renewed from ${shown(renewal)} on`,
    zh: `${shown(until)}，从 ${shown(renewal)} 起续期`,
  });
}

/** Formats the status as a table. */
export function describeTls({
  mode,
  authority,
  certificate,
  internal,
  missing,
}: TlsStatus): string {
  const rows: [string, string][] = [[inLanguage(labels.mode), mode]];
  if (authority) rows.push([inLanguage(labels.authority), authority]);
  if (certificate) {
    rows.push(
      [inLanguage(labels.names), certificate.names],
      [inLanguage(labels.issuer), certificate.issuer],
      [inLanguage(labels.browsers), inLanguage(certificate.trusted ? trusted : notTrusted)],
      [inLanguage(labels.until), untilText(certificate)],
      ['SHA-256', certificate.sha256],
    );
  }
  if (internal) rows.push([inLanguage(labels.root), internal.url], ['SHA-256', internal.sha256]);
  if (missing) {
    rows.push([inLanguage(labels.missing), inLanguage(messageOf(missing))]);
    for (const problem of missing.problems) rows.push(['', formatProblem(problem)]);
    for (const hint of Object.values(hintsOf(missing))) if (hint) rows.push(['', hint]);
    const time = shown(missing.notBefore);
    const notBefore = { en: `not before ${time}`, zh: `不早于 ${time}` };
    rows.push([inLanguage(labels.next), inLanguage(notBefore)]);
  }
  return formatTable(rows, [{ min: 12 }]);
}
