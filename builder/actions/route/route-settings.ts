import { mkdir, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { exemptHosts, urlOf } from '#contract/site/urls.ts';
import { isMissing } from '#files/open-regular.ts';
import { replaceFile } from '#files/replace-file.ts';
import { noProxyText } from '#proxy-settings/exemptions.ts';
import { fishFunctions, posixFunctions } from '#proxy-settings/shell-functions.ts';
import { shellValues } from '#proxy-settings/shell-values.ts';
import type { RouteFiles } from './route-files.ts';

const settings = z.strictObject({
  url: urlOf('https?|socks5h?', 'http://10.0.0.2:7890'),
  exempt: exemptHosts,
});

/** The proxy of this user. */
export type RouteSettings = z.infer<typeof settings>;

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
