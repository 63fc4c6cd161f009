import { refuseOtherOwner } from '#editor/file-access.ts';
import { maskedUrl } from '#proxy-settings/masked-url.ts';
import { fileError } from '../../files/file-error.ts';
import type { CommandContext } from '../context.ts';
import { addBlock, requireEditable } from './edit-startup-file.ts';
import { completeProxyUrl } from './proxy-url.ts';
import { routeFiles } from './route-files.ts';
import { writeRouteSettings } from './route-settings.ts';
import { startupFiles } from './startup-files.ts';

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
