import { confirm, isCancel, multiselect, text } from '@clack/prompts';
import { LandfallError } from '#contract/errors.ts';
import type { SiteAnswers } from './answers.ts';
import { findSshKeys, readSshKey } from './ssh-keys.ts';

/**
 * Asks a person for what the flags did not say. Every question can be answered with Enter.
 * @throws LandfallError USAGE when the person cancels
 */
export async function askForSite(
  known: Partial<SiteAnswers>,
  home: string | undefined,
): Promise<SiteAnswers> {
  const releaseUrl =
    known.releaseUrl ??
    (await ask('Where will the release be? (a folder on any web server)', 'https://'));
  const sshKeys = known.sshKeys ?? (await askForKeys(home));
  const uiHost =
    known.uiHost ?? (await ask('Host name of the chat UI (empty: none, use the address)', ''));
  const email =
    known.email ?? (await ask('E-mail for the certificate authority (empty: none)', ''));
  const acceptTerms =
    known.acceptTerms ??
    (email !== '' &&
      unlessCancelled(
        await confirm({
          message: "Do you accept Let's Encrypt's terms? (https://letsencrypt.org/repository/)",
          initialValue: false,
        }),
      ));
  const routeUrl =
    known.routeUrl ?? (await ask('Proxy that the server must use (empty: none)', ''));
  return {
    releaseUrl,
    user: known.user ?? 'ops',
    sshKeys,
    email: email || undefined,
    uiHost: uiHost || undefined,
    acceptTerms,
    routeUrl: routeUrl || undefined,
  };
}

async function ask(message: string, initialValue: string): Promise<string> {
  return (unlessCancelled(await text({ message, initialValue })) ?? '').trim();
}

async function askForKeys(home: string | undefined): Promise<string[]> {
  const found = await findSshKeys(home);
  if (found.length === 0) {
    return [
      await readSshKey(
        await ask('Your public SSH key (the line, or the path of the .pub file)', ''),
      ),
    ];
  }
  const options = found.map((key) => ({ value: key, label: shortened(key) }));
  const message = 'Which SSH keys may log in?';
  return unlessCancelled(
    await multiselect({ message, options, initialValues: found, required: true }),
  );
}

/** Type and comment tell keys apart; the middle tells nobody anything. */
function shortened(key: string): string {
  const [type = '', body = '', comment = ''] = key.split(' ');
  return `${type} …${body.slice(-12)} ${comment}`;
}

function unlessCancelled<T>(answer: T): Exclude<T, symbol> {
  if (!isCancel(answer)) return answer as Exclude<T, symbol>;
  throw new LandfallError('USAGE', 'cancelled', { hint: 'Nothing was written.' });
}
