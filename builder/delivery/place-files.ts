import { dirname } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { waitingNoteFile } from '#contract/server-paths.ts';
import { shellQuoted } from '../ssh/arguments.ts';
import { lastLines } from '../ssh/printed.ts';
import type { RootShell } from '../ssh/root.ts';
import type { ServerFile } from '../user-data/server-file.ts';

/** Writes a file from standard input, completely or not at all. */
const put = `put() {
  mkdir -p "$1"
  ( umask 077; base64 -d >"$2.new" )
  chmod "$3" "$2.new"
  mv "$2.new" "$2"
}`;

/**
 * Writes files as cloud-init would, and starts the unit of the bootstrap. Contents go through standard
 * input, because other users of the server can see arguments.
 * @throws LandfallError COMMAND_FAILED, SSH_UNREACHABLE
 */
export async function placeFiles(root: RootShell, files: readonly ServerFile[]): Promise<void> {
  const script = ['set -eu', 'umask 022', put, ...files.map(putFile), start].join('\n');
  const { code, stderr } = await root.run('exec sh -s', script);
  if (code === 0) return;
  throw new LandfallError('COMMAND_FAILED', 'the files of the bootstrap cannot be written', {
    hint: 'Check the free space of the server with `df -h`, and run the command again.',
    problems: lastLines(stderr),
  });
}

function putFile({ path, content, secret }: ServerFile): string {
  const words = [dirname(path), path, secret ? '0600' : '0644'].map(shellQuoted).join(' ');
  return `put ${words} <<'END'\n${Buffer.from(content).toString('base64')}\nEND`;
}

/** The unit may be running, with the address of an earlier tunnel. */
const start = `rm -f /${waitingNoteFile}
sync
systemctl daemon-reload
systemctl enable --quiet landfall-boot.service
systemctl reset-failed landfall-boot.service || true
systemctl restart --no-block landfall-boot.service`;
