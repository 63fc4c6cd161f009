import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { LandfallError } from '#contract/errors.ts';
import type { Preview } from './preview.ts';
import { completeSecrets, type PreviewPort, type PreviewPorts, preferredPorts } from './render.ts';
import { type PreviewState, portsOfOthers } from './state.ts';

/**
 * Chooses the ports and generates the secrets of a preview, and records both before Docker creates
 * anything. Keeps those of an existing preview.
 * @param port the port of the gateway that the user requires
 * @throws LandfallError PORT_TAKEN, FILE_ACCESS, DISK_FULL
 */
export async function prepareState(
  { name, project, env, docker, folder, reader, site, reporter }: Preview,
  port: number | undefined,
): Promise<PreviewState> {
  const before = await folder.readState();
  const label = `label=com.docker.compose.project=${project}`;
  const isRunning = (await docker.list('ps', '--quiet', '--filter', label)).length > 0;
  const known: Partial<PreviewPorts> = before?.ports ?? {};
  const chosen = await choosePorts(
    { ...preferredPorts(site), ...known },
    isRunning ? known : {},
    port,
    () => portsOfOthers(env, name),
  );
  const state: PreviewState = {
    version: reader.release.version,
    ports: chosen.ports,
    pulled: before?.pulled ?? [],
    secrets: completeSecrets(site, before?.secrets ?? {}),
    started: before?.started ?? false,
  };
  try {
    await folder.writeState(state);
  } finally {
    await chosen.release();
  }
  for (const { name: which, taken } of chosen.moved) {
    reporter.note(`port ${taken} is in use: ${which} has port ${chosen.ports[which]}`);
  }
  return state;
}

const loopback = '127.0.0.1';

/**
 * Chooses the ports of a preview and listens on them until they are recorded. Two previews that start
 * at the same time get different ports: the second finds each port either in use or recorded. Returns
 * the ports, those that are not the preferred ones, and what ends the reservation.
 * @param kept ports that running containers of this preview publish
 * @param fixed the port of the gateway that the user requires
 * @param ofOthers returns the recorded ports of other previews
 * @throws LandfallError PORT_TAKEN for the required port
 */
export async function choosePorts(
  preferred: PreviewPorts,
  kept: Partial<PreviewPorts>,
  fixed: number | undefined,
  ofOthers: () => Promise<ReadonlySet<number>>,
) {
  const servers: Server[] = [];
  const moved: { name: PreviewPort; taken: number }[] = [];
  const release = async () => {
    await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  };
  const reserve = async (port: number): Promise<number | undefined> => {
    const server = await listen(port);
    if (!server) return undefined;
    servers.push(server);
    const found = (server.address() as AddressInfo).port;
    // Read after listening: the other preview records its ports before it stops listening.
    return (await ofOthers()).has(found) ? undefined : found;
  };
  try {
    const entries: [string, number][] = [];
    const all = { ...preferred, ...kept, ...(fixed ? { https: fixed } : {}) };
    for (const [name, wanted] of Object.entries(all) as [PreviewPort, number][]) {
      let port = kept[name] === wanted ? wanted : await reserve(wanted);
      if (port === undefined && name === 'https' && fixed) throw taken(fixed);
      if (port === undefined) moved.push({ name, taken: wanted });
      while (port === undefined) port = await reserve(0);
      entries.push([name, port]);
    }
    return { ports: Object.fromEntries(entries) as PreviewPorts, moved, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Returns a server on a port of the loopback address; undefined if the port is not available. */
async function listen(port: number): Promise<Server | undefined> {
  const server = createServer();
  try {
    server.listen({ port, host: loopback, exclusive: true });
    await once(server, 'listening');
    return server;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' || code === 'EACCES') return undefined;
    throw error;
  }
}

function taken(port: number): LandfallError {
  return new LandfallError('PORT_TAKEN', `port ${port} is used by another program`, {
    hint: `Stop the program (find it with \`ss -ltnp sport = :${port}\`), or leave out --port to use a free one.`,
  });
}
