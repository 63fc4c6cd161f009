import { LandfallError } from '#contract/errors.ts';
import { readText } from '../host/files.ts';
import { compose } from '../stack/compose.ts';
import type { Context } from '../stage/stage.ts';
import { acmeLog, caInContainer, prepareAcmeFolder } from './acme-folder.ts';
import { type Refusal, readRefusal } from './acme-refusal.ts';
import type { Authority } from './authority.ts';
import { certbotArguments } from './certbot-arguments.ts';

/** An authority looks from several places, and some take their time. */
const patience = 300;
/** A name that one container at a time can have: two would disturb each other. */
const container = 'landfall-acme';
const failures = Array.from({ length: 255 }, (_, index) => index + 1);

/**
 * Asks the authority for a certificate; certbot leaves it where {@link issuedPair} looks.
 * @returns why there is none, or nothing when there is one
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED when certbot takes too long
 */
export async function requestCertificate(
  { host, site, releaseFolder }: Context,
  authority: Authority,
  names: readonly string[],
): Promise<Refusal | undefined> {
  const { email } = site.admin;
  // The builder refuses such a site; a file that was mended by hand gets here.
  if (email === undefined || !site.tls.accept_terms) return { error: unaccepted() };
  await prepareAcmeFolder(host, authority);
  const run = ['run', '--rm', '--no-deps', '--no-TTY', '--name', container, 'acme'];
  const { code, stdout, stderr } = await compose(
    host,
    releaseFolder,
    [...run, ...certbotArguments(authority, email, names)],
    {
      seconds: patience,
      accept: failures,
      env: authority.ca === undefined ? {} : { ACME_CA_BUNDLE: caInContainer },
    },
  );
  if (code === 0) return undefined;
  return readRefusal(`${stdout}\n${stderr}`, (await readText(host, acmeLog)) ?? '');
}

function unaccepted(): LandfallError {
  return new LandfallError('ACME_REFUSED', "the authority's terms are not accepted", {
    hint: 'Set admin.email and, once you have read the terms, tls.accept_terms: true in the site.',
  });
}
