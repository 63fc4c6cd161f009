import type { Readable, Writable } from 'node:stream';
import { confirm, isCancel, multiselect, select, text } from '@clack/prompts';
import { LandfallError } from '#contract/errors.ts';
import { cancel } from '../progress/cancel.ts';
import { asksAuthority, defaultUser, type SiteAnswers, type TlsMode } from './answers.ts';
import { flawOf } from './flaw-of.ts';
import { findSshKeys, readSshKey, shortened } from './ssh-keys.ts';
import { defaultTls } from './without-asking.ts';

/** Where the questions are asked, and whose keys and files are meant. */
interface Person {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly home: string | undefined;
  readonly cwd: string;
}

/**
 * Asks a person for what the flags did not say. An answer is judged when it is given. Ctrl-C ends the
 * program.
 */
export async function askForSite(
  known: Partial<SiteAnswers>,
  person: Person,
): Promise<SiteAnswers> {
  const ask = new Questions(person);
  const releaseUrl =
    known.releaseUrl ??
    (await ask.text('Where will the release be? A folder on any web server.', 'releaseUrl', {
      initialValue: 'https://',
    }));
  const sshKeys = known.sshKeys ?? (await ask.keys());
  const uiHost = known.uiHost ?? (await ask.text('Host name of the chat UI, if any', 'uiHost'));
  const tls = known.tls ?? (await ask.tls(defaultTls({ ...known, uiHost })));
  const authority = asksAuthority(tls);
  const needed = { required: true };
  const email =
    known.email ??
    (authority ? await ask.text('Your e-mail for the authority', 'email', needed) : '');
  const acceptTerms = known.acceptTerms ?? (authority && (await ask.terms()));
  const routeUrl =
    known.routeUrl ?? (await ask.text('Proxy that the server must use, if any', 'routeUrl'));
  return {
    releaseUrl,
    user: known.user ?? defaultUser,
    sshKeys,
    email: email || undefined,
    uiHost: uiHost || undefined,
    tls,
    acceptTerms,
    routeUrl: routeUrl || undefined,
  };
}

interface TextOptions {
  readonly initialValue?: string;
  readonly required?: boolean;
}

class Questions {
  readonly #person: Person;
  readonly #streams: { readonly input: Readable; readonly output: Writable };

  constructor(person: Person) {
    this.#person = person;
    // The prompts want node's own classes; a terminal is one.
    this.#streams = { input: person.input as Readable, output: person.output as Writable };
  }

  async text(
    message: string,
    field: keyof SiteAnswers,
    { initialValue = '', required = initialValue !== '' }: TextOptions = {},
  ): Promise<string> {
    const validate = (given = '') =>
      given.trim() === '' && !required ? undefined : flawOf(field, given.trim());
    const answer = await text({ ...this.#streams, message, initialValue, validate });
    return ((await unlessCancelled(answer)) ?? '').trim();
  }

  async keys(): Promise<string[]> {
    const found = await findSshKeys(this.#person.home);
    if (found.length === 0) return [await this.#key()];
    const options = found.map((key) => ({ value: key, label: shortened(key) }));
    const message = 'Which SSH keys may log in?';
    const initialValues = found;
    return await unlessCancelled(
      await multiselect({ ...this.#streams, message, options, initialValues, required: true }),
    );
  }

  async #key(): Promise<string> {
    const message = 'Your public SSH key: the line itself, or the path of its .pub file';
    const given = await unlessCancelled(await text({ ...this.#streams, message }));
    return readSshKey((given ?? '').trim(), this.#person);
  }

  async tls(initialValue: TlsMode): Promise<TlsMode> {
    const options: Array<{ value: TlsMode; label: string }> = [
      { value: 'acme', label: "Let's Encrypt, for the host name" },
      { value: 'acme-ip', label: "Let's Encrypt, for the bare address" },
      { value: 'internal', label: 'an authority of its own, which browsers warn of' },
      { value: 'custom', label: 'a certificate that you bring' },
    ];
    const message = 'Where does the certificate come from?';
    return await unlessCancelled(
      await select({ ...this.#streams, message, options, initialValue }),
    );
  }

  async terms(): Promise<boolean> {
    const message = "Do you accept Let's Encrypt's terms? https://letsencrypt.org/repository/";
    const accepted = await confirm({ ...this.#streams, message, initialValue: false });
    if (await unlessCancelled(accepted)) return true;
    throw new LandfallError('USAGE', "no certificate from Let's Encrypt without its terms", {
      hint: 'Run this again and choose an authority of its own. Nothing was written.',
    });
  }
}

async function unlessCancelled<T>(answer: T): Promise<Exclude<T, symbol>> {
  if (isCancel(answer)) return await cancel('nothing was written');
  return answer as Exclude<T, symbol>;
}
