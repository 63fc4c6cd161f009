import { LandfallError } from '#contract/errors.ts';
import { compose } from '../stack/compose.ts';
import type { Context } from '../stage/stage.ts';
import { caInContainer, prepareAcmeFolder, readAcmeLog } from './acme-folder.ts';
import { type Refusal, readRefusal } from './acme-refusal.ts';
import type { Authority } from './authority.ts';
import { certbotArguments } from './certbot-arguments.ts';

/** Seconds. Authorities verify from several networks, which can be slow. */
const timeout = 300;
/** A fixed name, so that only one container runs at a time. */
const container = 'landfall-acme';
const failures = Array.from({ length: 255 }, (_, index) => index + 1);

/**
 * Requests a certificate from the authority. {@link issuedPair} reads the result.
 * @returns why the request failed; undefined on success
 * @throws LandfallError TOOL_MISSING; COMMAND_FAILED when certbot times out
 */
export async function requestCertificate(
  { host, site, releaseFolder }: Context,
  authority: Authority,
  names: readonly string[],
): Promise<Refusal | undefined> {
  const { email } = site.admin;
  // The builder rejects such a site, but the file may have been edited on the server.
  if (email === undefined || !site.tls.accept_terms) return { error: unaccepted() };
  await prepareAcmeFolder(host, authority);
  const run = ['run', '--rm', '--no-deps', '--no-TTY', '--name', container, 'acme'];
  const { code, stdout, stderr } = await compose(
    host,
    releaseFolder,
    [...run, ...certbotArguments(authority, email, names)],
    {
      seconds: timeout,
      accept: failures,
      env: authority.ca === undefined ? {} : { ACME_CA_BUNDLE: caInContainer },
    },
  );
  if (code === 0) return undefined;
  return readRefusal(`${stdout}\n${stderr}`, (await readAcmeLog(host)) ?? '');
}

function unaccepted(): LandfallError {
  return new LandfallError('ACME_REFUSED', "the certificate authority's terms are not accepted", {
    hint: 'Read the terms, then set admin.email and tls.accept_terms: true in the site.',
  });
}
