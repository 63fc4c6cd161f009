import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { type Daemon, startDaemon } from '../daemon.ts';
import { programPath } from '../packages/programs.ts';
import { registryAccount } from './registry-account.ts';

/**
 * Starts Debian's docker-registry on a free port of loopback, with plain HTTP. The folder contains
 * all its files; `storage` may exist already. Its `answer` is `127.0.0.1:port`.
 * @throws Unmet
 */
export async function startRegistry(folder: string): Promise<Daemon> {
  return await serve(folder, '');
}

/**
 * Starts a registry with HTTP Basic authentication (RFC 7617) for one account.
 * @throws Unmet
 */
export async function startRegistryWithAccount(folder: string): Promise<Daemon> {
  const file = join(folder, 'htpasswd');
  await writeFile(file, await passwordFile());
  return await serve(
    folder,
    `auth: { htpasswd: { realm: landfall-test, path: ${JSON.stringify(file)} } }\n`,
  );
}

async function serve(folder: string, authSettings: string): Promise<Daemon> {
  const command = programPath('docker-registry');
  const settings = join(folder, 'config.yml');
  const log = join(folder, 'registry.log');
  await writeFile(settings, registrySettings(folder) + authSettings);
  return await startDaemon({
    command,
    args: ['serve', settings],
    log,
    ready: async () => /listening on (127\.0\.0\.1:\d+)/.exec(await readFile(log, 'utf8'))?.[1],
  });
}

/** With port 0 the kernel selects the port, which the registry then logs. */
function registrySettings(folder: string): string {
  return `version: 0.1
log: { level: info, accesslog: { disabled: true } }
storage:
  filesystem: { rootdirectory: ${JSON.stringify(join(folder, 'storage'))} }
  delete: { enabled: true }
http: { addr: 127.0.0.1:0 }
`;
}

/** The registry accepts only bcrypt. The password is passed by standard input. */
async function passwordFile(): Promise<string> {
  const { username, password } = registryAccount;
  const { stdout } = await execa(programPath('htpasswd'), ['-niB', username], { input: password });
  return `${stdout.trim()}\n`;
}
