import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { refuseOtherOwner } from '#editor/file-access.ts';
import { fileError } from '#files/file-error.ts';
import { replaceFile } from '#files/replace-file.ts';
import { pacFile } from '#proxy-settings/pac.ts';
import { proxychainsFile } from '#proxy-settings/proxychains.ts';
import {
  maskedUrl,
  noProxyText,
  proxyVariables,
  variableNames,
} from '#proxy-settings/variables.ts';
import type { CommandContext } from '../context.ts';
import {
  completeProxyUrl,
  readRouteSettings,
  requireRouteSettings,
  routeFiles,
  writeRouteSettings,
} from './settings.ts';
import { addBlock, isMarked, removeBlock, requireEditable, startupFiles } from './startup-files.ts';

/** Options of `landfall route on`. */
export interface RouteOnFlags {
  readonly exempt: readonly string[];
  readonly json?: boolean;
}

/**
 * Sets the proxy of this user in new shells.
 * @throws LandfallError USAGE for an invalid URL, FILE_ACCESS for files of another user, CONFIG_INVALID
 * for a damaged startup file; nothing is changed then
 */
export async function routeOnAction(
  context: CommandContext,
  given: string,
  { exempt, json }: RouteOnFlags,
): Promise<void> {
  const files = routeFiles(context.env);
  const url = await completeProxyUrl(context, given);
  const starts = startupFiles(context.env, files);
  await refuseOtherOwner(files.folder);
  for (const { path } of starts) await requireEditable(path);
  await writeRouteSettings(files, { url, exempt: [...exempt] });
  for (const file of starts) {
    await addBlock(file).catch((error: unknown) => {
      throw fileError(error, file.path);
    });
  }
  const changed = starts.map(({ path }) => path);
  if (json) {
    context.stdout.write(`${JSON.stringify({ proxy: maskedUrl(url), changed })}\n`);
    return;
  }
  const list = starts.map(({ path }) => `  ${path}\n`).join('');
  context.stdout.write(
    list === ''
      ? `No startup file of bash, zsh or fish was found. Add this line to that of your shell:\n  . ${files.posix}\n`
      : `New shells use ${maskedUrl(url)}, and have proxy_on and proxy_off. Changed:\n${list}In this shell, run: . ${files.posix}\n`,
  );
}

/**
 * Removes the proxy of this user from the startup files.
 * @throws LandfallError FILE_ACCESS, CONFIG_INVALID for a damaged startup file; nothing is changed then
 */
export async function routeOffAction(
  { env, stdout }: CommandContext,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const files = routeFiles(env);
  const restored: string[] = [];
  const starts = startupFiles(env, files);
  await refuseOtherOwner(files.folder);
  for (const { path } of starts) await requireEditable(path);
  for (const { path } of starts) {
    const found = await removeBlock(path).catch((error: unknown) => {
      throw fileError(error, path);
    });
    if (found) restored.push(path);
  }
  const wasSet = restored.length > 0 || existsSync(files.folder);
  await rm(files.folder, { recursive: true, force: true });
  if (json) return void stdout.write(`${JSON.stringify({ wasSet, restored })}\n`);
  const list = restored.map((path) => `  ${path}\n`).join('');
  stdout.write(
    !wasSet
      ? 'No proxy was set.\n'
      : `New shells use no proxy of Landfall.\n${list && `Restored:\n${list}`}In open shells, run: proxy_off\n`,
  );
}

/** Shows the proxy of this user, without its password. @throws LandfallError CONFIG_INVALID */
export async function routeShowAction(
  { env, stdout }: CommandContext,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const files = routeFiles(env);
  const route = await readRouteSettings(files);
  const noProxy = route && noProxyText(route.exempt);
  const starts = startupFiles(env, files).map(({ path }) => path);
  const marked = await Promise.all(starts.map(isMarked));
  const wanted = route && noProxy ? proxyVariables({ url: route.url, noProxy }) : {};
  const present = variableNames.filter((name) => !/no_proxy/i.test(name) && env[name]);
  const isOn = present.length > 0 && present.every((name) => env[name] === wanted[name]);
  const shown = {
    proxy: route ? maskedUrl(route.url) : null,
    noProxy: noProxy ?? null,
    startupFiles: starts.filter((_, index) => marked[index]),
    // Whether the shell that runs the command uses this proxy, another one, or none.
    thisShell: isOn ? 'on' : present.length > 0 ? 'another proxy' : 'off',
  } as const;
  if (json) return void stdout.write(`${JSON.stringify(shown)}\n`);
  const none = inLanguage({ en: 'none', zh: '无' });
  const starting = [inLanguage(startup), shown.startupFiles.join(', ') || none];
  const rows = [
    [inLanguage({ en: 'proxy', zh: '代理' }), shown.proxy ?? none],
    ...(noProxy === undefined ? [] : [['no_proxy', noProxy], starting]),
    [inLanguage({ en: 'this shell', zh: '当前 shell' }), inLanguage(shellStates[shown.thisShell])],
  ];
  stdout.write(`${formatTable(rows, [{ min: startup.en.length }])}\n`);
}

const startup = { en: 'startup files', zh: '启动文件' };
const shellStates = {
  on: { en: 'on', zh: '使用中' },
  off: { en: 'off', zh: '未使用' },
  'another proxy': { en: 'another proxy', zh: '使用其他代理' },
} as const;

/** Prints a PAC file for the proxy of this user. @throws LandfallError CONFIG_MISSING */
export async function routePacAction({ env, stdout }: CommandContext): Promise<void> {
  const route = await requireRouteSettings(env);
  stdout.write(pacFile(route.url, route.exempt));
}

/** Options of `landfall route proxychains`. */
export interface ProxychainsFlags {
  readonly output?: string;
}

/**
 * Prints settings of proxychains for the proxy of this user, or writes them to a file that only the
 * user can read. A login is never printed.
 * @throws LandfallError CONFIG_MISSING, CONFIG_INVALID, USAGE
 */
export async function routeProxychainsAction(
  { env, stdout, cwd }: CommandContext,
  { output }: ProxychainsFlags,
): Promise<void> {
  const route = await requireRouteSettings(env);
  const text = proxychainsFile(route.url);
  if (output === undefined) {
    if (new URL(route.url).username === '') return void stdout.write(text);
    throw new LandfallError('USAGE', 'the settings contain the password of the proxy', {
      hint: 'Write them to a file with --output, which only you can read.',
    });
  }
  const path = resolve(cwd, output);
  try {
    await mkdir(dirname(path), { recursive: true });
    await replaceFile(path, text, { mode: 0o600 });
  } catch (error) {
    throw fileError(error, path);
  }
  stdout.write(`Run: proxychains4 -f ${path} <command>\n`);
}
