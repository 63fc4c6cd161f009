import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { exemptHosts, urlOf } from '#contract/site/urls.ts';
import { isMissing } from '#files/open-regular.ts';
import { replaceFile } from '#files/replace-file.ts';
import type { ProxiesContext } from '#proxies/actions/import.ts';
import { fishFunctions, posixFunctions, shellValues } from '#proxy-settings/shell-functions.ts';
import { noProxyText } from '#proxy-settings/variables.ts';
import { configFolder } from '../../base/files/user-folders.ts';
import type { CommandContext } from '../context.ts';
import { readCa } from '../network.ts';
import { askSecret, secretPrompt } from '../prompts.ts';

/** Paths of the files with the proxy of this user; only the user can read them. */
export interface RouteFiles {
  readonly folder: string;
  /** The proxy and its exemptions, for `landfall route`. */
  readonly settings: string;
  /** Sets the variables in any shell. */
  readonly values: string;
  /** The functions for bash and zsh, and for fish. */
  readonly posix: string;
  readonly fish: string;
}

/** Returns the paths: `~/.config/landfall/route/…`. */
export function routeFiles(env: NodeJS.ProcessEnv): RouteFiles {
  const folder = join(configFolder(env), 'landfall', 'route');
  return {
    folder,
    settings: join(folder, 'route.json'),
    values: join(folder, 'values.sh'),
    posix: join(folder, 'functions.sh'),
    fish: join(folder, 'functions.fish'),
  };
}

const settings = z.strictObject({
  url: urlOf('https?|socks5h?', 'http://10.0.0.2:7890'),
  exempt: exemptHosts,
});

/** The proxy of this user. */
type RouteSettings = z.infer<typeof settings>;

const origin = 'Made by `landfall route on`; `landfall route off` removes it.';

/**
 * Reads the proxy of this user; undefined if none is set.
 * @throws LandfallError CONFIG_INVALID
 */
export async function readRouteSettings(files: RouteFiles): Promise<RouteSettings | undefined> {
  try {
    return settings.parse(JSON.parse(await readFile(files.settings, 'utf8')));
  } catch (error) {
    if (isMissing(error)) return undefined;
    // No cause: it would contain the text, which may include a password.
    throw new LandfallError('CONFIG_INVALID', `${files.settings} is not valid`, {
      hint: 'Run `landfall route on` with the URL of the proxy again, or `landfall route off`.',
    });
  }
}

/** Writes the proxy of this user and the files that shells read. The user alone can read them. */
export async function writeRouteSettings(files: RouteFiles, route: RouteSettings): Promise<void> {
  const shell = { origin, values: files.values };
  const proxy = { url: route.url, noProxy: noProxyText(route.exempt) };
  const texts = {
    [files.values]: shellValues(origin, proxy),
    [files.posix]: posixFunctions(shell),
    [files.fish]: fishFunctions(shell, false),
    [files.settings]: `${JSON.stringify(route, null, 2)}\n`,
  };
  await mkdir(files.folder, { recursive: true, mode: 0o700 });
  for (const [path, text] of Object.entries(texts)) await replaceFile(path, text, { mode: 0o600 });
}

/** Returns the proxy of this user. @throws LandfallError CONFIG_MISSING, CONFIG_INVALID */
export async function requireRouteSettings(env: NodeJS.ProcessEnv): Promise<RouteSettings> {
  const route = await readRouteSettings(routeFiles(env));
  if (route) return route;
  throw new LandfallError('CONFIG_MISSING', 'no proxy is set', {
    hint: 'Run `landfall route on http://host:port` first.',
  });
}

const accepted = urlOf('https?|socks5h?', 'http://10.0.0.2:7890')
  .refine((given) => /^[^/]+\/\/[^/?#]+\/?$/.test(given), {
    error: 'must end after its port, without a path, a query or a fragment',
    abort: true,
  })
  .refine((given) => new URL(given).port !== '0', 'has the port 0')
  .refine((given) => !/%(?![0-9a-f]{2})/i.test(given), 'has an invalid %; use %25 for a literal %');

/**
 * Returns the URL of a proxy with its password. A URL with a user needs a password, which is read from
 * a prompt or standard input.
 * @throws LandfallError USAGE for an invalid URL or one with a password, which other users of this
 * machine can see; the message does not contain the URL
 */
export async function completeProxyUrl(context: CommandContext, given: string): Promise<string> {
  const { success, error } = accepted.safeParse(given);
  if (!success) {
    const [issue] = error.issues;
    throw new LandfallError('USAGE', `the URL of the proxy ${issue?.message}`, {
      hint: 'Use http://host:port or socks5h://host:port, with user@ before the host if the proxy requires a login.',
    });
  }
  const url = new URL(given);
  if (url.password !== '') {
    throw new LandfallError(
      'USAGE',
      'the URL contains a password, which other users of this machine can see',
      { hint: 'Omit `:password`; enter it at the prompt or pass it on standard input.' },
    );
  }
  if (url.username === '') return given.replace(/\/$/, '');
  const password = encodeURIComponent(await readPassword(context)).replaceAll("'", '%27');
  const [, scheme = '', user = '', host = ''] = /^([^/]+\/\/)([^@]*?):?@([^/]+)/.exec(given) ?? [];
  return `${scheme}${user}:${password}@${host}`;
}

async function readPassword(context: CommandContext): Promise<string> {
  const password = context.interactive
    ? await askSecret(context, 'Password of the proxy')
    : (await text(context.stdin)).replace(/\r?\n$/, '');
  if (password !== '' && password.length <= 256 && !/\p{Cc}/u.test(password)) return password;
  throw new LandfallError('USAGE', 'the password of the proxy is missing or invalid', {
    hint: 'Pass one line of at most 256 characters on standard input, or run this on a terminal.',
  });
}

/**
 * Returns the context of the import of proxies. The file is not in the folder of `landfall route on`,
 * which `landfall route off` removes.
 */
export async function proxiesContext(context: CommandContext): Promise<ProxiesContext> {
  const { stdout, stderr, stdin, cwd, env } = context;
  return {
    ...{ stdout, stderr, stdin, cwd },
    file: join(configFolder(env), 'landfall', 'proxies.json'),
    network: { env, ca: await readCa(context, undefined) },
    askSecret: secretPrompt(context),
    next: undefined,
    command: 'landfall route',
  };
}
