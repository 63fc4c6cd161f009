import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { type Daemon, startDaemon } from './daemon.ts';
import { programPath } from './programs.ts';
import { registryAccount } from './registry-account.ts';
import type { Workspace } from './workspace.ts';

/**
 * Starts Debian's docker-registry, empty, on a free port of loopback, with plain http.
 * Its `answer` is `127.0.0.1:port`.
 * @throws Unmet
 */
export async function startRegistry(workspace: Workspace): Promise<Daemon> {
  return await serve(join(workspace.run, 'registry'), () => '');
}

/**
 * The same with HTTP Basic authentication (RFC 7617) for one account.
 * @throws Unmet
 */
export async function startRegistryWithAccount(workspace: Workspace): Promise<Daemon> {
  return await serve(join(workspace.run, 'registry-auth'), async (folder) => {
    const file = join(folder, 'htpasswd');
    await writeFile(file, await passwordFile());
    return `auth: { htpasswd: { realm: landfall-test, path: ${JSON.stringify(file)} } }\n`;
  });
}

async function serve(
  folder: string,
  authSettings: (folder: string) => string | Promise<string>,
): Promise<Daemon> {
  const command = programPath('docker-registry');
  await mkdir(folder, { mode: 0o700 });
  const settings = join(folder, 'config.yml');
  const log = join(folder, 'registry.log');
  await writeFile(settings, registrySettings(folder) + (await authSettings(folder)));
  return await startDaemon({
    command,
    args: ['serve', settings],
    log,
    ready: async () => /listening on (127\.0\.0\.1:\d+)/.exec(await readFile(log, 'utf8'))?.[1],
  });
}

/** Port 0 lets the kernel choose; the log then says which one it is. */
function registrySettings(folder: string): string {
  return `version: 0.1
log: { level: info, accesslog: { disabled: true } }
storage:
  filesystem: { rootdirectory: ${JSON.stringify(join(folder, 'storage'))} }
  delete: { enabled: true }
http: { addr: 127.0.0.1:0 }
`;
}

/** The registry takes bcrypt only. The password goes in by standard input. */
async function passwordFile(): Promise<string> {
  const { username, password } = registryAccount;
  const { stdout } = await execa(programPath('htpasswd'), ['-niB', username], { input: password });
  return `${stdout.trim()}\n`;
}
