import { componentNames, componentOf } from '#contract/component-names.ts';
import { LandfallError } from '#contract/errors.ts';
import { signInEmail } from '#contract/site/email.ts';
import { isEnabled, isEngineNode, servedHosts } from '#contract/site/enabled.ts';
import { tunnelTo, urlOf } from '#contract/site/endpoints.ts';
import { gatewayAddress } from '#contract/site/network/public-ports.ts';
import type { Site } from '#contract/site/site.ts';
import { describeHostedOnly, localModels } from '#contract/sizes/local-models.ts';
import { contextOf } from '#contract/sizes/model-memory.ts';
import { inLanguage } from '#contract/text/language.ts';
import { engineBriefs } from '../../nodes/balancer/brief.ts';
import { addNodeCommand, nodeEntry } from '../../nodes/balancer/pairing.ts';
import { readMembers } from '../../nodes/swarm/members.ts';
import { accessState } from '../../server/access/conditions.ts';
import { targetConditions, targetStates } from '../../server/alerts/describe-alerts.ts';
import type { Host } from '../../server/host/host.ts';
import { isPublic, publicAddress, serverAddresses } from '../../server/host/outside/addresses.ts';
import { sshPorts } from '../../server/host/sshd/ssh-listeners.ts';
import { storedStatus } from '../../server/progress/status.ts';
import { needsSetUp } from '../../server/records/backups.ts';
import { Journal } from '../../server/stage/journal.ts';
import { type Context, stageNames } from '../../server/stage/stage.ts';
import { lacksModel } from '../models/public.ts';
import { certificate, sshFingerprints } from './fingerprints.ts';
import { missingKeysOf } from './missing-keys.ts';
import { modelsOf } from './models.ts';
import type { Report } from './report.ts';
import { storedReport } from './stored-report.ts';
import { warningsOf } from './warnings.ts';

const unknownAddress = 'ADDRESS';

/** Creates the report from the current state of the server. Omits unavailable data. Read-only. */
export async function gatherReport(context: Context): Promise<Report> {
  const { host, site, release } = context;
  const chosen = localModels(release, site, context.server);
  const addresses = await orElse({ v4: [], v6: [] }, () => serverAddresses(host));
  const known = await publicAddress(host, addresses);
  const address = known ?? addresses.v4[0] ?? addresses.v6[0] ?? unknownAddress;
  const login = loginCommand(site.admin.user, address, await orElse([22], () => sshPorts(host)));
  const tunnel = gatewayAddress(site);
  const v4 = known && !known.includes(':') ? known : addresses.v4[0];
  return {
    schema: 1,
    product: release.product,
    release: release.version,
    arch: release.arch,
    language: site.language ?? 'en',
    at: new Date().toISOString(),
    addresses: {
      ...{ v4: [...addresses.v4], v6: [...addresses.v6], public: known ?? null },
      ...(tunnel === undefined ? {} : { tunnel }),
    },
    urls: urlsOf(site, address),
    ssh: {
      command: login.join(' '),
      fingerprints: await orElse([], () => sshFingerprints(host)),
    },
    chatSignIn: isEnabled(site, 'ui') ? signInEmail(site) : null,
    certificate: await certificate(host, site),
    tunnels: tunnelsOf(site, login),
    records: recordsOf(site, tunnel ?? v4, tunnel ? undefined : addresses.v6.find(isPublic)),
    models: await orElse([], () => modelsOf(context)),
    missingKeys: await orElse([], () => missingKeysOf(host, site)),
    engines: await engineBriefs(host, site),
    addNode: await orElse(null, () => addNodeOf(context)),
    needsNode: await orElse(false, () => needsNode(context)),
    ...(site.access ? { needsDevice: await orElse(false, () => needsDevice(context)) } : {}),
    needsBackup: await orElse(false, () => needsSetUp(host, site)),
    lacksModel: await orElse(false, () => lacksModel(context)),
    hostedOnly: describeHostedOnly(chosen) ?? null,
    context: chosen.chat ? contextOf(chosen.models, context.server, site) : null,
    ...(await stageTimes(host)),
    ...resources(),
    warnings: await currentWarnings(context),
    firewall: await orElse([], () => firewallStatus(context)),
  };
}

async function needsDevice({ host, site }: Context): Promise<boolean> {
  return (await accessState(host, site))?.devices === 0;
}

async function needsNode({ host, site }: Context): Promise<boolean> {
  return site.engines?.swarm !== undefined && (await readMembers(host)).length === 0;
}

async function addNodeOf({ host, site }: Context): Promise<string | null> {
  return isEngineNode(site) ? addNodeCommand(await nodeEntry(host, site), site) : null;
}

/** Returns the warnings of the last run. After a reboot only the stored report has them. */
async function currentWarnings({ host, site }: Context): Promise<Report['warnings']> {
  const known = (await storedStatus.read(host)) ?? (await storedReport.read(host));
  const others = (known?.warnings ?? []).filter(({ kind }) => kind !== 'alert');
  const ofTargets = targetConditions(await targetStates(host, site));
  return [...others, ...warningsOf(ofTargets, site.language)];
}

/** Returns CPU time in milliseconds and peak memory in bytes; see getrusage(2) for the input units. */
function resources(): Pick<Report, 'cpu' | 'peakMemory'> {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  return { cpu: Math.round((userCPUTime + systemCPUTime) / 1000), peakMemory: maxRSS * 1024 };
}

/** Returns the SSH command, with a port unless port 22 works. */
function loginCommand(user: string, address: string, ports: readonly number[]): string[] {
  const port = ports.includes(22) ? undefined : ports[0];
  return ['ssh', ...(port === undefined ? [] : ['-p', `${port}`]), `${user}@${address}`];
}

async function firewallStatus({ host }: Context): Promise<string[]> {
  const { stdout } = await host.run('ufw', ['status', 'verbose']);
  return stdout.split('\n').map((line) => line.trimEnd());
}

/** Returns the fallback after a LandfallError, such as a missing tool. Rethrows other errors. */
async function orElse<Value>(fallback: Value, look: () => Promise<Value>): Promise<Value> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof LandfallError) return fallback;
    throw error;
  }
}

/**
 * Returns the duration of each stage. After an interrupted first boot there are several runs; the run
 * that last applied the stage counts, not later runs that had nothing to do.
 */
export async function stageTimes(host: Host): Promise<Pick<Report, 'stages' | 'took' | 'own'>> {
  const entries = await new Journal(host).entries();
  const titles = new Map(
    (await storedStatus.read(host))?.stages.map(({ name, title }) => [name, title]),
  );
  const stages = stageNames.flatMap((name): Report['stages'] => {
    const ended = entries.filter(
      ({ stage, took, alone }) => stage === name && took !== undefined && !alone,
    );
    const entry =
      ended.findLast(({ event }) => event === 'applied') ??
      ended.findLast(({ event }) => event === 'kept');
    if (!entry || (entry.event !== 'applied' && entry.event !== 'kept')) return [];
    const { event: outcome, took = 0, own = 0 } = entry;
    return [{ name, title: titles.get(name) ?? name, outcome, took, own }];
  });
  const sum = (key: 'took' | 'own') => stages.reduce((total, stage) => total + stage[key], 0);
  return { stages, took: sum('took'), own: sum('own') };
}

/** Returns the public URLs. Without host names, only the UI is public, under the address. */
export function urlsOf(site: Site, address: string): Report['urls'] {
  return componentNames.flatMap((name) => {
    const { title } = componentOf(name);
    const url = urlOf(site, name, address);
    if (title === undefined || url === undefined) return [];
    return [{ part: inLanguage(title, site.language), url: `${url}/` }];
  });
}

/** Returns an SSH tunnel for each internal component, with its URL while the tunnel is open. */
export function tunnelsOf(site: Site, login: readonly string[]): Report['tunnels'] {
  return componentNames.flatMap((name) => {
    const { title, path = '/' } = componentOf(name);
    const tunnel = tunnelTo(site, name, login);
    if (title === undefined || tunnel === undefined || !isEnabled(site, name)) return [];
    if (urlOf(site, name, 'ADDRESS') !== undefined) return [];
    const part = inLanguage(title, site.language);
    return [{ part, command: tunnel.command, url: `${tunnel.url}${path}` }];
  });
}

/** Returns the DNS records that the site's host names need. */
export function recordsOf(site: Site, v4: string | undefined, v6: string | undefined) {
  return [...new Set(Object.values(servedHosts(site)))].flatMap((name): Report['records'] => [
    ...(v4 ? [{ name, type: 'A' as const, value: v4 }] : []),
    ...(v6 ? [{ name, type: 'AAAA' as const, value: v6 }] : []),
  ]);
}
