import { resolve } from 'node:path';
import { chooseReporter } from '../../base/progress/reporter.ts';
import { releaseFor } from '../../deliver/install/prepare.ts';
import { expectInstalled, takeSnapshot } from '../../deliver/install/server-snapshot.ts';
import { updateServer } from '../../deliver/install/update-server.ts';
import { becomeRoot } from '../../deliver/ssh/root.ts';
import type { CommandContext } from '../context.ts';
import { agree, loginsTo } from './logins.ts';
import { bundlesAt, type PushFlags } from './push.ts';

/**
 * Sends the bundle to a server that is installed, and updates it. The keys of the server decide what it
 * accepts.
 * @throws LandfallError SSH_…, SERVER_UNFIT, UPDATE_FAILED
 */
export async function pushUpdate(
  context: CommandContext,
  server: string,
  flags: PushFlags,
): Promise<void> {
  const logins = loginsTo(context, server, flags);
  const releases = await bundlesAt(resolve(context.cwd, flags.release));
  await using connection = await logins.open();
  const root = await becomeRoot(connection);
  await using snapshot = await takeSnapshot(root);
  await expectInstalled(snapshot, {
    en: 'Without --update, `landfall push` sends the bundle to a server that waits for it; `landfall install` sets up a fresh one.',
    zh: '不加 --update 时，`landfall push` 把发布包发送给等待它的服务器；全新的服务器用 `landfall install` 部署。',
  });
  const local = releaseFor(snapshot.server, releases);
  const reporter = chooseReporter(context, flags);
  try {
    await updateServer(root, {
      ...{ local, reporter },
      logins: [() => logins.open()],
      options: flags.retry ? ['--retry'] : [],
      approve: async (course) => {
        if (flags.yes) return;
        context.stderr.write(course);
        await agree(context, flags, 'Install it now?');
      },
    });
  } finally {
    reporter.close();
  }
  const { version } = local.pinned.release;
  if (flags.json) context.stdout.write(`${JSON.stringify({ state: 'installed', version })}\n`);
}
