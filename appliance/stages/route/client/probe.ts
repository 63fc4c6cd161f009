import type { Context } from '../../../server/stage/stage.ts';
import { archiveFiles, probeDestinations } from '../probe-destinations.ts';
import { acceptsTcp, poll, reach } from '../reach.ts';

/** Returns why a proxy at this address is not usable; undefined if it is. One line without secrets. */
export type ProbeClient = (context: Context, endpoint: Endpoint) => Promise<string | undefined>;

interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** The client listens some milliseconds after systemd reports its start. */
const attempts = 25;

/**
 * Requests one file of each package archive and every download of the release through a client. Each
 * of them must respond: some clients accept connections while their proxy does not work.
 */
export const everyDestination: ProbeClient = async (context, endpoint) => {
  const failures = await failuresThrough(context, endpoint);
  return failures.find((failure) => failure !== undefined);
};

/** The same, but one response is enough: for a server whose active proxy reaches nothing. */
export const anyDestination: ProbeClient = async (context, endpoint) => {
  const failures = await failuresThrough(context, endpoint);
  return failures.includes(undefined) ? undefined : failures[0];
};

async function failuresThrough(
  context: Context,
  { address, port }: Endpoint,
): Promise<ReadonlyArray<string | undefined>> {
  const { host, site, release } = context;
  const listens = await host.outside.measure(() => isListening(address, port));
  if (!listens) return ['the proxy client does not start'];
  const { no_proxy } = site.route.mode === 'direct' ? { no_proxy: [] } : site.route;
  const url = `http://${address}:${port}`;
  const through = { ...site, route: { mode: 'http-proxy' as const, url, no_proxy } };
  const archives = await archiveFiles(context);
  const [files, downloads] = await host.outside.measure(() =>
    Promise.all([reach(through, archives), probeDestinations(through, release)]),
  );
  return [
    ...files.map(({ failure }) => failure?.message),
    ...downloads.map(({ subject, failure }) => failure && `${subject}: ${failure}`),
  ];
}

async function isListening(host: string, port: number): Promise<boolean> {
  return (await poll(attempts, async () => (await acceptsTcp(host, port)) || undefined)) ?? false;
}
