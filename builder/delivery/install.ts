import { installedMark, statusFile } from '#contract/server-paths.ts';
import type { SshConnection } from '../ssh/connection.ts';
import { becomeRoot, type RootShell } from '../ssh/root.ts';
import { followFirstBoot, waits } from './follow.ts';
import { placeFiles } from './place-files.ts';
import type { Prepared } from './prepared.ts';
import { reconnect } from './reconnect.ts';
import { type ProxyImport, sendProxies } from './send-proxies.ts';

/** The two ends of an installation, and how it talks to the user. */
interface Installation {
  readonly prepared: Prepared;
  /** Port of the server of the bundle on this computer. */
  readonly localPort: number;
  /** Open a connection as the user of the command, and as the administrator. */
  readonly logins: ReadonlyArray<() => Promise<SshConnection>>;
  readonly note: (text: string) => void;
  /** What to import if the server waits for proxies. */
  readonly proxies?: ProxyImport | undefined;
  readonly show: 'terminal' | 'lines' | 'nothing';
}

/**
 * Sends the bundle and follows the first boot to its end. After a lost connection, it connects again
 * and goes on.
 * @param first root on the server; its connection is closed at the end
 * @returns the exit code of `landfall status` on the server
 * @throws LandfallError SSH_UNREACHABLE, SSH_FORWARD, COMMAND_FAILED, STAGE_FAILED
 */
export async function install(first: RootShell, installation: Installation): Promise<number> {
  let root = first;
  try {
    for (;;) {
      const code = await unlessLost(root, () => sendAndFollow(root, installation));
      if (code !== undefined) return code;
      root = await unlessLostAgain(installation);
    }
  } finally {
    await root.connection.close();
  }
}

/** Returns undefined if the connection is lost. */
async function sendAndFollow(
  root: RootShell,
  { prepared, localPort, note, show, proxies }: Installation,
): Promise<number | undefined> {
  if (!(await hasBundle(root))) {
    const port = await root.connection.forward(localPort);
    await placeFiles(root, prepared.filesFor(`http://127.0.0.1:${port}/`));
  }
  const code = await followFirstBoot(root, note, show);
  if (code !== waits || proxies === undefined) return code;
  note('sending the proxies');
  await sendProxies(root, proxies, note);
  return await followFirstBoot(root, note, show);
}

/** Once the stages have started, the bundle is complete and verified. */
async function hasBundle(root: RootShell): Promise<boolean> {
  const { code } = await root.run(`[ -e /${statusFile} ] || [ -e /${installedMark} ]`);
  return code === 0;
}

async function unlessLostAgain({ logins, note }: Installation): Promise<RootShell> {
  for (;;) {
    const connection = await reconnect(logins, note);
    const root = await unlessLost({ connection }, () => becomeRoot(connection));
    if (root !== undefined) return root;
  }
}

/** Runs an action; undefined if it fails because the connection is lost. */
async function unlessLost<T>(
  { connection }: Pick<RootShell, 'connection'>,
  action: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (await connection.answers()) throw error;
    return undefined;
  }
}
