import { program } from '#contract/bundle/bundle-paths.ts';
import { errorToJson } from '#contract/error-json.ts';
import { LandfallError } from '#contract/errors.ts';
import { currentRelease, nodeBinary } from '#contract/server-paths.ts';
import { isFile, writeText } from './files.ts';
import type { Host } from './host.ts';

/** On everybody's PATH, sudo's included. */
export const commandFile = 'usr/local/bin/landfall';

/** Where bash-completion looks for the completion of `landfall`. */
export const completionFile = 'usr/share/bash-completion/completions/landfall';

/** For programs, whose words may hold anything: the hint repeats none of them. */
const refusal = JSON.stringify(
  errorToJson(
    new LandfallError('NOT_ROOT', 'this takes root', { hint: 'Put sudo in front of it.' }),
  ),
);

/**
 * Releases are root's alone, so everybody else goes through sudo where that asks for no password,
 * and is told what to type where it does. Of the environment, which sudo clears, the wish for no
 * colours goes along.
 */
const script = `#!/bin/sh
# Runs the program of the Landfall release that is in use here.
if [ "$(id -u)" -ne 0 ]; then
  sudo -n true 2>/dev/null &&
    exec sudo -n \${NO_COLOR:+"NO_COLOR=$NO_COLOR"} -- /${commandFile} "$@"
  case " $* " in *' --json '*)
    echo '${refusal}'
    exit 11
  esac
  echo 'landfall: NOT_ROOT: this takes root' >&2
  echo "hint: Run: sudo landfall $*" >&2
  exit 11
fi
exec /${currentRelease}/${nodeBinary} /${currentRelease}/${program} "$@"
`;

/**
 * Puts the command `landfall` in place with its completion for bash, or leaves them there.
 * @param completion the script for bash
 */
export async function installCommand(host: Host, completion: string): Promise<void> {
  await install(host, commandFile, script, 0o755);
  await install(host, completionFile, completion, 0o644);
}

async function install(host: Host, path: string, content: string, mode: number): Promise<void> {
  if (await isFile(host, path, content, { mode })) return;
  await writeText(host, path, content, { mode });
}
