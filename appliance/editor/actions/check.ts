import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { checkHosts, hostsOf, isConnected } from '../check/check-hosts.ts';
import { readProxy } from '../check/read-proxy.ts';
import { remedies } from '../check/remedies.ts';
import { checkTable } from '../check/table.ts';
import type { EditorContext } from '../context.ts';
import { fileErrorOf, isMissing } from '../file-errors.ts';
import { isHostName } from '../host-name.ts';
import { maskedProxy } from '../proxy-url.ts';
import { readSettingsFile } from '../settings-file.ts';
import { decodeSettings } from '../settings-text.ts';
import { chooseSettings, type SettingsFlags } from './choose-settings.ts';
import { printResult } from './print.ts';

/** Options of `landfall editor check`. */
export interface CheckFlags extends SettingsFlags {
  readonly host: readonly string[];
  readonly ca?: string;
}

/** Exit code of a network failure (`docs/errors.md`). */
const notConnected = 5;

/**
 * Tests the hosts of an editor's vendor through the proxy of its settings. Exits with 5 if one fails.
 * @throws LandfallError CONFIG_INVALID if the editor ignores the proxy; USAGE; CONFIG_…
 */
export async function checkAction(context: EditorContext, flags: CheckFlags): Promise<void> {
  const { stdout, env } = context;
  const { editor, path } = await chooseSettings(context, flags);
  const hosts = hostsOf(editor, flags.host.map(checkedHost));
  if (hosts.length === 0) {
    throw new LandfallError('USAGE', `the hosts of the editor with ${path} are not known`, {
      hint: "Add the vendor's API hosts with --host.",
    });
  }
  const ca = await authority(context, flags.ca);
  const file = await readSettingsFile(path);
  const proxy = readProxy(decodeSettings(file).settings, file.path, env);
  const results = await checkHosts(hosts, proxy, { ca });
  const connected = isConnected(results);
  const shown = { editor: editor.name, settings: file.path, proxy: maskedProxy(proxy.url) };
  const withAdvice = results.map(({ remedy: name, ...rest }) => ({
    ...rest,
    ...(name && { symptom: name, remedy: remedies[name] }),
  }));
  const result = { ...shown, connected, hosts: withAdvice, warnings: proxy.warnings };
  const title = `${editor.title}, proxy ${shown.proxy}\n\n`;
  printResult(context, flags.json, result, title + checkTable(results, paintFor(stdout, env)));
  if (!connected) context.setExitCode(notConnected);
}

function checkedHost(host: string): string {
  if (isHostName(host)) return host;
  throw new LandfallError('USAGE', `--host ${host} is not a host name`, {
    hint: 'Use a host name without a scheme and a path, such as api2.cursor.sh',
  });
}

async function authority(
  { env, cwd }: EditorContext,
  given: string | undefined,
): Promise<string | undefined> {
  const path = given ?? (env.REQUESTS_CA_BUNDLE || undefined);
  if (path === undefined) return undefined;
  try {
    return await readFile(resolve(cwd, path), 'utf8');
  } catch (error) {
    if (!isMissing(error)) throw fileErrorOf(error, path);
    throw new LandfallError('FILE_MISSING', `${path} does not exist`, {
      hint: 'Check --ca or REQUESTS_CA_BUNDLE.',
      cause: error,
    });
  }
}
