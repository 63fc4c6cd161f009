import type { Readable, Writable } from 'node:stream';
import { confirm, log, multiselect, select, text } from '@clack/prompts';
import { componentOf, selectableComponents } from '#contract/component-names.ts';
import { LandfallError } from '#contract/errors.ts';
import { formatProblem } from '#contract/text/problem.ts';
import {
  defaultUser,
  type FrontEnd,
  type SiteAnswers,
  type TlsMode,
  usesAuthority,
} from './answers.ts';
import { askForProviders } from './ask-providers.ts';
import { flawOf } from './flaw-of.ts';
import { findSshKeys, readSshKey, shortened } from './ssh-keys.ts';
import { unlessCancelled } from './unless-cancelled.ts';
import { defaultTls } from './without-asking.ts';

/** Streams for the prompts, and the user's folders. */
interface PromptContext {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly home: string | undefined;
  readonly cwd: string;
}

/**
 * Prompts for the values that no flag sets. Answers are validated immediately. Ctrl-C ends the
 * program.
 * @param options.hasClient whether the release has a proxy client, or will have one
 * @throws LandfallError USAGE when the terms are declined
 */
export async function askForSite(
  known: Partial<SiteAnswers>,
  { hasClient, ...context }: PromptContext & { readonly hasClient: boolean },
): Promise<SiteAnswers> {
  const ask = new Prompts(context);
  const releaseUrls = known.releaseUrls ?? [await ask.releaseUrl()];
  const sshKeys = known.sshKeys ?? (await ask.keys());
  const uiHost = known.uiHost ?? (await ask.text('Host name of the chat UI (optional)', 'uiHost'));
  const tls = known.tls ?? (await ask.tls(defaultTls({ ...known, uiHost }), uiHost !== ''));
  const authority = usesAuthority(tls);
  const needed = { required: true };
  const email =
    known.email ??
    (authority
      ? await ask.text('Email address for the certificate authority', 'email', needed)
      : '');
  const acceptTerms = known.acceptTerms ?? (authority && (await ask.terms()));
  const route = known.route ?? (await ask.route(hasClient));
  const providers = known.providers ?? (await ask.providers());
  const isHosted = Object.keys(providers).length > 0;
  const frontEnds = known.frontEnds ?? (isHosted ? await ask.frontEnds() : []);
  const localModels = known.localModels ?? (!isHosted || (await ask.localModels()));
  return {
    releaseUrls,
    user: known.user ?? defaultUser,
    sshKeys,
    email: email || undefined,
    uiHost: uiHost || undefined,
    tls,
    acceptTerms,
    route: route || undefined,
    providers,
    frontEnds,
    localModels,
  };
}

interface TextOptions {
  readonly initialValue?: string;
  readonly required?: boolean;
}

class Prompts {
  readonly #context: PromptContext;
  readonly #streams: { readonly input: Readable; readonly output: Writable };

  constructor(context: PromptContext) {
    this.#context = context;
    // clack requires Node's stream classes; the streams of a terminal are instances of them.
    this.#streams = { input: context.input as Readable, output: context.output as Writable };
  }

  /** Returns the URL of the release, or `push`. */
  async releaseUrl(): Promise<string> {
    const options = [
      { value: 'url', label: 'it downloads it from a URL: you upload the release' },
      { value: 'push', label: 'you send it over SSH, from this computer' },
    ];
    const question = 'How does the server get the release?';
    const way = await unlessCancelled(
      await select({ ...this.#streams, message: question, options, initialValue: 'url' }),
    );
    if (way === 'push') return 'push';
    const message = 'URL of the folder that will contain the release';
    return await this.text(message, 'releaseUrls', { initialValue: 'https://' });
  }

  /** Returns the URL of a proxy, `client`, or an empty text for a direct route. */
  async route(hasClient: boolean): Promise<string> {
    const client = 'through a proxy for Shadowsocks, VMess, VLESS, Trojan or Hysteria2';
    const options = [
      { value: '', label: 'directly' },
      { value: 'url', label: 'through an HTTP or SOCKS5 proxy' },
      ...(hasClient ? [{ value: 'client', label: client }] : []),
    ];
    const message = 'How does the server reach the internet?';
    const way = await unlessCancelled(
      await select({ ...this.#streams, message, options, initialValue: '' }),
    );
    return way === 'url' ? await this.text('URL of the proxy', 'route', { required: true }) : way;
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
    const found = await findSshKeys(this.#context.home);
    if (found.length === 0) return [await this.#key()];
    const options = found.map((key) => ({ value: key, label: shortened(key) }));
    const message = 'Which SSH keys may log in?';
    const initialValues = found;
    return await unlessCancelled(
      await multiselect({ ...this.#streams, message, options, initialValues, required: true }),
    );
  }

  async #key(): Promise<string> {
    const message = 'Your SSH public key: the key itself or the path of its .pub file';
    for (;;) {
      const given = await unlessCancelled(await text({ ...this.#streams, message }));
      try {
        return await readSshKey((given ?? '').trim(), this.#context);
      } catch (error) {
        if (!(error instanceof LandfallError)) throw error;
        log.error(formatProblem(error), this.#streams);
      }
    }
  }

  /** Offers only certificates that fit: for the host name, or for the IP address without one. */
  async tls(initialValue: TlsMode, hasHost: boolean): Promise<TlsMode> {
    const options: Array<{ value: TlsMode; label: string }> = [
      hasHost
        ? { value: 'acme', label: "Let's Encrypt, for the host name" }
        : { value: 'acme-ip', label: "Let's Encrypt, for the IP address" },
      { value: 'internal', label: 'an internal authority of the server; browsers show a warning' },
      { value: 'custom', label: 'your own certificate' },
    ];
    const message = 'Which TLS certificate should the server use?';
    return await unlessCancelled(
      await select({ ...this.#streams, message, options, initialValue }),
    );
  }

  async providers(): Promise<Record<string, string>> {
    return await askForProviders(this.#streams);
  }

  async frontEnds(): Promise<FrontEnd[]> {
    const options = selectableComponents.map((name) => ({
      value: name,
      label: `${name}: ${componentOf(name).title ?? ''}`,
      hint: componentOf(name).upkeep ?? '',
    }));
    const message = 'Front-ends besides Open WebUI (optional; space selects)';
    return await unlessCancelled(
      await multiselect({ ...this.#streams, message, options, required: false }),
    );
  }

  async localModels(): Promise<boolean> {
    const message = 'Should the server also run a local model? It needs at least 4 GB of memory.';
    return await unlessCancelled(await confirm({ ...this.#streams, message, initialValue: true }));
  }

  async terms(): Promise<boolean> {
    const message =
      "Do you accept the terms of service of Let's Encrypt? https://letsencrypt.org/repository/";
    const accepted = await confirm({ ...this.#streams, message, initialValue: false });
    if (await unlessCancelled(accepted)) return true;
    throw new LandfallError(
      'USAGE',
      "Let's Encrypt requires that you accept its terms of service",
      {
        hint: 'Run the command again and choose another certificate. Nothing was written.',
      },
    );
  }
}
