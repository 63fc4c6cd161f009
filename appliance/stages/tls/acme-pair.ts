import { isIP } from 'node:net';
import { mustWait } from '#contract/clock.ts';
import { LandfallError } from '#contract/errors.ts';
import { commonProviders } from '#contract/site/certificates/common-providers.ts';
import { dnsVariables } from '#contract/site/certificates/dns-providers.ts';
import { dnsProviderOf } from '#contract/site/certificates/tls.ts';
import { inLanguage } from '#contract/text/language.ts';
import { certificateNames } from '../../server/certificates/gateway-pairs.ts';
import { checkPair, leafOf, type Pair, renewalTime } from '../../server/certificates/pair.ts';
import { writeText } from '../../server/host/files.ts';
import type { Context } from '../../server/stage/stage.ts';
import { readSecrets } from '../secrets/secret-values.ts';
import { compose } from '../stack/compose.ts';
import {
  acmeLog,
  caInContainer,
  dataInContainer,
  issuedPair,
  prepareAcmeFolder,
  webroot,
} from './acme-folder.ts';
import { type Refusal, readRefusal, saysRateLimit } from './acme-refusal.ts';
import { type Attempts, storedAttempts } from './attempts.ts';
import type { Authority } from './authority.ts';
import { findNamesHere } from './resolve-hosts.ts';
import type { Resolve } from './resolve-name.ts';

/** When to request a certificate. */
export interface Urgency {
  /** Requests a certificate now, regardless of the current one and of DNS. */
  readonly force?: boolean;
  /** Respects the retry delays after earlier failures. */
  readonly patient?: boolean;
}

/**
 * Returns the certificate of an authority. Requests a new one when the current certificate lacks a name
 * or is due for renewal. Names that do not resolve to this server yet are left out, so that they do not
 * delay the others; with a DNS provider no name has to resolve.
 */
export async function acmePair(
  context: Context,
  authority: Authority,
  resolve: Resolve,
  { force = false, patient = false }: Urgency,
): Promise<CertificatePlan> {
  const { host, site } = context;
  const names = await certificateNames(host, site);
  const issued = await usable(await issuedPair(host, authority));
  const covered = issued
    ? names.filter((name) => checkPair(issued, [name], now()).length === 0)
    : [];
  const isDue = !issued || hasTimeCome(issued);
  if (!force && !isDue && covered.length === names.length) return { pair: issued, open: [] };

  const before = await storedAttempts.read(host);
  if (!force && before && isTooEarly(before, patient)) {
    const { code, message, hint, problems } = before;
    const stored = new LandfallError(code, message, { hint, problems });
    return { pair: issued, open: [stored], asked: false };
  }
  const provider = dnsProviderOf(site.tls);
  if (provider !== undefined) {
    const secrets = await readSecrets(host, site);
    if (!dnsVariables(provider).some((name) => secrets[name]))
      return { pair: issued, open: [withoutCredentials(provider)] };
    return await ask(context, authority, names, { pair: issued, open: [] });
  }
  // Names of the current certificate resolved to this server before. Check them again only after the
  // authority failed to verify them.
  const led = before?.code === 'ACME_CHALLENGE' ? [] : covered;
  const sure = force ? names : led;
  const doubtful = names.filter((name) => !sure.includes(name));
  const { ready, error } = await findNamesHere(context, doubtful, resolve);
  const open = error ? [error] : [];
  const toAsk = names.filter((name) => sure.includes(name) || ready.includes(name));
  const gains = toAsk.some((name) => !covered.includes(name));
  if (toAsk.length === 0 || !(force || isDue || gains)) return { pair: issued, open };
  return await ask(context, authority, toAsk, { pair: issued, open });
}

/** The administrator sets them after the first boot, so the timer looks for them often. */
function withoutCredentials(provider: string): LandfallError {
  const names = commonProviders[provider]?.credentials ?? dnsVariables(provider);
  const [first = ''] = names;
  return new LandfallError(
    'TLS_MATERIAL',
    inLanguage({
      en: `the credentials of the DNS provider ${provider} are not set`,
      zh: `没有设置 DNS 托管商 ${provider} 的凭据`,
    }),
    {
      hint: {
        en: `Set those that the provider needs, such as: sudo landfall secret set ${first}. All names: sudo landfall secret list`,
        zh: `设置该托管商需要的凭据，例如：sudo landfall secret set ${first}。全部名称：sudo landfall secret list`,
      },
    },
  );
}

/** The longest wait after a failure: rate limits of Let's Encrypt count a week. Milliseconds. */
const maxWait = 8 * 86_400_000;

/** Returns whether to wait. A rate limit always applies, unless the user forces a request. */
function isTooEarly({ notBefore, code }: Attempts, patient: boolean): boolean {
  const waits = mustWait(Date.parse(notBefore), maxWait, now().getTime());
  return waits && (patient || code === 'ACME_RATE_LIMIT');
}

async function ask(
  context: Context,
  authority: Authority,
  names: readonly string[],
  { pair, open }: { readonly pair: Pair | undefined; readonly open: readonly LandfallError[] },
): Promise<CertificatePlan> {
  context.report.say(
    inLanguage({
      en: `requesting a certificate from ${new URL(authority.url).host}: ${names.join(', ')}`,
      zh: `向 ${new URL(authority.url).host} 申请证书：${names.join(', ')}`,
    }),
  );
  const refusal: Refusal | undefined = await requestCertificate(context, authority, names);
  // The authority's error comes first: it is more important than a missing record.
  if (refusal) return { pair, open: [refusal.error, ...open], retryAt: refusal.retryAt };
  return { pair: await usable(await issuedPair(context.host, authority)), open };
}

function usable(pair: Pair | undefined): Pair | undefined {
  return pair && checkPair(pair, [], now()).length === 0 ? pair : undefined;
}

/** Returns whether a certificate is due for renewal. */
export function hasTimeCome(pair: Pair): boolean {
  const leaf = leafOf(pair.chain);
  return !leaf || renewalTime(leaf) <= now();
}

const now = () => new Date();

/** Seconds. Authorities verify from several networks, which can be slow. */
const timeout = 300;
/** lego makes the records of some providers one after the other, a minute apart. Seconds. */
const perRecord = 90;
/** A fixed name, so that only one container runs at a time. */
const container = 'landfall-acme';
const failures = Array.from({ length: 255 }, (_, index) => index + 1);

/**
 * Requests a certificate from the authority. {@link issuedPair} reads the result.
 * @returns why the request failed; undefined on success
 * @throws LandfallError TOOL_MISSING; COMMAND_FAILED when lego times out
 */
async function requestCertificate(
  { host, site, releaseFolder }: Context,
  authority: Authority,
  names: readonly string[],
): Promise<Refusal | undefined> {
  const { email } = site.admin;
  // The builder rejects such a site, but the file may have been edited on the server.
  if (email === undefined || !site.tls.accept_terms) return { error: unaccepted() };
  await prepareAcmeFolder(host, authority);
  const run = ['run', '--rm', '--no-deps', '--no-TTY', '--name', container, 'acme'];
  const provider = dnsProviderOf(site.tls);
  let limit: string | undefined;
  const asked = compose(
    host,
    releaseFolder,
    [...run, ...legoArguments(authority, email, names, provider)],
    {
      seconds: timeout + (provider === undefined ? 0 : names.length * perRecord),
      accept: failures,
      env: authority.ca === undefined ? {} : { ACME_CA_BUNDLE: caInContainer },
      // Ends lego, which would sleep until the limit expires.
      onLine: (line) => {
        if (!saysRateLimit(line)) return;
        limit = line;
        throw readRefusal(line, names).error;
      },
    },
  );
  const { code, stdout, stderr } = await asked.catch((error: unknown) => {
    if (limit === undefined) throw error;
    return { code: 1, stdout: limit, stderr: '' };
  });
  const secrets = Object.values(await readSecrets(host, site));
  const output = withoutSecrets(`${stdout}\n${stderr}`, secrets);
  await writeText(host, acmeLog, output, { mode: 0o600 });
  return code === 0 ? undefined : readRefusal(output, names);
}

/** The API of a DNS provider may repeat what it got. */
function withoutSecrets(text: string, values: readonly string[]): string {
  const known = values.filter((value) => value.length >= minSecret);
  return known.reduce((rest, value) => rest.replaceAll(value, '***'), text);
}

/** Characters. Shorter values are words such as regions. */
const minSecret = 8;

function unaccepted(): LandfallError {
  return new LandfallError('ACME_REFUSED', "the certificate authority's terms are not accepted", {
    hint: {
      en: 'Read the terms, then set admin.email and tls.accept_terms: true in the site.',
      zh: '阅读条款，然后在站点中设置 admin.email 和 tls.accept_terms: true。',
    },
  });
}

/** Let's Encrypt issues certificates for addresses with this profile only (six days). */
const addressProfile = 'shortlived';

/**
 * Returns lego's arguments to request one certificate for all names, over HTTP or by DNS records (RFC 8555, 8.3
 * and 8.4). Always renews: the caller decides when.
 * @param provider of the DNS records; undefined: over HTTP
 */
export function legoArguments(
  { url, lineage }: Authority,
  email: string,
  names: readonly string[],
  provider?: string,
): string[] {
  const challenge =
    provider === undefined ? ['--http', '--http.webroot', webroot] : ['--dns', provider];
  return [
    ...['--log.format', 'json', 'run', '--path', dataInContainer, '--cert.name', lineage],
    ...['--accept-tos', `--email=${email}`, '--server', url, ...challenge],
    // Without them, lego keeps a certificate that is not due, waits up to 8 minutes, and keeps former names.
    ...['--renew-force', '--no-random-sleep', '--force-cert-domains'],
    // It would say which certificate the new one replaces, which authorities reject from another account.
    '--ari-disable',
    ...names.flatMap((name) => ['--domains', name]),
    ...(names.some((name) => isIP(name)) ? ['--profile', addressProfile] : []),
  ];
}

/** The certificate for the site's mode. */
export interface CertificatePlan {
  /** The pair to install; undefined while there is only the self-signed one. */
  readonly pair: Pair | undefined;
  /** Problems that remain. */
  readonly open: readonly LandfallError[];
  /** Earliest time of the next request. */
  readonly retryAt?: Date | undefined;
  /** False when no request was made, because it is too early. */
  readonly asked?: false;
}
