import { LandfallError } from '#contract/errors.ts';
import { signInEmail } from '#contract/site/email.ts';
import { serverAddresses } from '../host/outside/addresses.ts';
import { isPublic, publicAddress } from '../host/outside/public-address.ts';
import { sshPorts } from '../host/sshd/ssh-listeners.ts';
import { readStatus } from '../progress/status.ts';
import { describeHostedOnly, localModels } from '../stack/local-models.ts';
import { contextOf } from '../stack/model-memory.ts';
import type { Context } from '../stage/stage.ts';
import { recordsOf, tunnelsOf, urlsOf } from './endpoints.ts';
import { certificate, sshFingerprints } from './fingerprints.ts';
import { missingKeysOf } from './missing-keys.ts';
import { modelsOf } from './models.ts';
import type { Report } from './report.ts';
import { stageTimes } from './stage-times.ts';
import { readReport } from './stored-report.ts';
import { alertWarnings } from './update-alerts.ts';

/** Placeholder for an unknown address in commands. */
const unknownAddress = 'ADDRESS';

/** Creates the report from the current state of the server. Omits unavailable data. Read-only. */
export async function gatherReport(context: Context): Promise<Report> {
  const { host, site, release } = context;
  const chosen = localModels(release, site, context.server);
  const addresses = await orElse({ v4: [], v6: [] }, () => serverAddresses(host));
  const known = await publicAddress(host, addresses);
  const address = known ?? addresses.v4[0] ?? addresses.v6[0] ?? unknownAddress;
  const login = loginCommand(site.admin.user, address, await orElse([22], () => sshPorts(host)));
  const v4 = known && !known.includes(':') ? known : addresses.v4[0];
  return {
    schema: 1,
    product: release.product,
    release: release.version,
    arch: release.arch,
    language: site.language ?? 'en',
    at: new Date().toISOString(),
    addresses: { v4: [...addresses.v4], v6: [...addresses.v6], public: known ?? null },
    urls: urlsOf(site, address),
    ssh: {
      command: login.join(' '),
      fingerprints: await orElse([], () => sshFingerprints(host)),
    },
    chatSignIn: signInEmail(site),
    certificate: await certificate(host, site),
    tunnels: tunnelsOf(site, login),
    records: recordsOf(site, v4, addresses.v6.find(isPublic)),
    models: await orElse([], () => modelsOf(context)),
    missingKeys: await orElse([], () => missingKeysOf(host, site)),
    hostedOnly: describeHostedOnly(chosen) ?? null,
    context: chosen.chat ? contextOf(chosen.models, context.server) : null,
    ...(await stageTimes(host)),
    ...resources(),
    warnings: await warningsOf(context),
    firewall: await orElse([], () => firewallStatus(context)),
  };
}

/** Returns the warnings of the last run. After a reboot only the stored report has them. */
async function warningsOf({ host, site }: Context): Promise<Report['warnings']> {
  const known = (await readStatus(host)) ?? (await readReport(host));
  const others = (known?.warnings ?? []).filter(({ kind }) => kind !== 'alert');
  return [...others, ...(await alertWarnings(host, site))];
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
