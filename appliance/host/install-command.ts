import { program } from '#contract/bundle-paths.ts';
import { currentRelease, nodeBinary } from '#contract/server-paths.ts';
import { isFile, writeText } from './files.ts';
import type { Host } from './host.ts';

/** On everybody's PATH, sudo's included. */
export const commandFile = 'usr/local/bin/landfall';

/**
 * Releases are root's alone, so everybody else goes through sudo where that asks for no password,
 * and is told what to type where it does.
 */
const script = `#!/bin/sh
# Runs the program of the Landfall release that is in use here.
if [ "$(id -u)" -ne 0 ]; then
  sudo -n true 2>/dev/null && exec sudo -n -- /${commandFile} "$@"
  echo 'landfall: NOT_ROOT: this takes root' >&2
  echo "hint: Run: sudo landfall $*" >&2
  exit 11
fi
exec /${currentRelease}/${nodeBinary} /${currentRelease}/${program} "$@"
`;

/** Puts the command `landfall` in place, or leaves it there. */
export async function installCommand(host: Host): Promise<void> {
  if (await isFile(host, commandFile, script, { mode: 0o755 })) return;
  await writeText(host, commandFile, script, { mode: 0o755 });
}
