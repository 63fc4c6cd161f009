import { program } from '#contract/bundle/bundle-paths.ts';
import { errorToJson, LandfallError } from '#contract/errors.ts';
import {
  bootstrapStatusFile,
  commandFile,
  compiledCodeFolder,
  currentRelease,
  installedMark,
  nodeBinary,
} from '#contract/server-paths.ts';
import { makeFolder } from './files.ts';
import type { Host } from './host.ts';
import { install } from './service.ts';

/** The file that bash-completion loads for `landfall`. */
export const completionFile = 'usr/share/bash-completion/completions/landfall';

/** The manual page, in a folder that man(1) searches on Debian and Ubuntu. */
export const manualFile = 'usr/local/share/man/man8/landfall.8';

/** The error with --json. It does not repeat the arguments, which would need escaping. */
const refusal = JSON.stringify(
  errorToJson(
    new LandfallError('NOT_ROOT', 'landfall must be run as root', {
      hint: { en: 'Run it with sudo.', zh: '用 sudo 运行。' },
    }),
  ),
);

/**
 * Only root can read releases. For other users the script calls sudo if that needs no password, and
 * otherwise prints the command to run; without arguments, what all users may read. NO_COLOR is passed
 * on, because sudo clears the environment. Of 118 MB for `landfall update check`, the smallest young
 * generation saves 3, and leaving undici's small parser of HTTP (WebAssembly) unoptimized 15. Node then
 * compiles its own modules at each start, a quarter more time, so that other commands do without.
 */
const script = `#!/bin/sh
# Runs the program of the current Landfall release.
if [ "$(id -u)" -ne 0 ]; then
  sudo -n true 2>/dev/null &&
    exec sudo -n \${NO_COLOR:+"NO_COLOR=$NO_COLOR"} -- /${commandFile} "$@"
  if [ "$#" -eq 0 ]; then
    if read -r release 2>/dev/null </${installedMark}; then echo "release  $release"
    elif read -r line 2>/dev/null </${bootstrapStatusFile}; then echo "$line"
    fi
    case "\${LC_ALL:-\${LANG:-}}" in
      zh*) echo '组件、备份、告警、警告：只有 root 可见：sudo landfall' ;;
      *) echo 'stack, backup, alerts, warnings: shown to root only: sudo landfall' ;;
    esac
    exit 0
  fi
  case " $* " in *' --json '*)
    echo '${refusal}'
    exit 11
  esac
  echo 'error NOT_ROOT: landfall must be run as root' >&2
  echo "hint: Run: sudo landfall $*" >&2
  exit 11
fi
export NODE_COMPILE_CACHE=/${compiledCodeFolder}
if [ "$1" = update ]; then lean=--liftoff-only; else lean=; fi
exec /${currentRelease}/${nodeBinary} --max-semi-space-size=1 $lean /${currentRelease}/${program} "$@"
`;

/** Files about the command line, generated from its definition. */
export interface CommandFiles {
  /** The completion script for bash. */
  readonly completion: string;
  /** The manual page in section 8. */
  readonly manual: string;
}

/** Installs the command `landfall`, its bash completion and its manual page. Idempotent. */
export async function installCommand(host: Host, files: CommandFiles): Promise<void> {
  await makeFolder(host, compiledCodeFolder, { mode: 0o700 });
  await install(host, {
    files: [
      { path: commandFile, text: script, mode: 0o755 },
      { path: completionFile, text: files.completion },
      { path: manualFile, text: files.manual },
    ],
  });
}
