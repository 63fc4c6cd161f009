import type { Command } from 'commander';
import { editorCommandOf } from '../shared/editor/command.ts';
import { readHidden } from './read-hidden.ts';

/** `landfall editor`: the proxy settings of code-server and of remote windows on this server. */
export function editorCommand(): Command {
  return editorCommandOf(() => ({
    ...{ stdout: process.stdout, stderr: process.stderr, env: process.env },
    ...{ cwd: process.cwd(), platform: process.platform },
    choose: undefined,
    askSecret: (message) => readHidden(`${message} (hidden): `),
    setExitCode: (code) => {
      process.exitCode = code;
    },
  }));
}
