import { createServer, type Server } from 'node:net';

/** An address and port, with a temporary listener if `standIn` is set. */
interface Target {
  readonly address: string;
  readonly port: number;
  readonly standIn?: boolean;
}

/**
 * Listens on each target with `standIn` while the work runs, and closes every connection at once.
 * A port that another process already listens on is left to that process.
 */
export async function withTemporaryListeners<Result>(
  targets: readonly Target[],
  work: () => Promise<Result>,
): Promise<Result> {
  const servers = await Promise.all(targets.filter(({ standIn }) => standIn).map(listen));
  try {
    return await work();
  } finally {
    for (const server of servers) server.close();
  }
}

async function listen({ address, port }: Target): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => {
    server.once('error', () => resolve()).listen({ host: address, port }, resolve);
  });
  return server;
}
