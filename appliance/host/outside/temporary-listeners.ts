import { createServer, type Server } from 'node:net';

/** Where somebody is to listen for a while. */
interface Stand {
  readonly address: string;
  readonly port: number;
  readonly standIn?: boolean;
}

/**
 * Listens at each place that asks for it while something is done, and hangs up on whoever comes.
 * Where somebody else listens already, that one answers.
 */
export async function withTemporaryListeners<Result>(
  places: readonly Stand[],
  work: () => Promise<Result>,
): Promise<Result> {
  const servers = await Promise.all(places.filter(({ standIn }) => standIn).map(listen));
  try {
    return await work();
  } finally {
    for (const server of servers) server.close();
  }
}

async function listen({ address, port }: Stand): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => {
    server.once('error', () => resolve()).listen({ host: address, port }, resolve);
  });
  return server;
}
