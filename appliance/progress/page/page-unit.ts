import { LandfallError } from '#contract/errors.ts';
import { pageFile } from '#contract/server-paths.ts';
import type { Host } from '../../host/host.ts';
import { isActive } from '../../host/systemd.ts';

/** How this very program is started again. Absolute paths. */
interface Program {
  readonly node: string;
  readonly script: string;
}

const unit = 'landfall-page';

/**
 * What the page's server may do: nearly nothing. systemd opens port 80 and hands it over, so the
 * process starts with a user that exists for it alone, without capabilities, without a network of
 * its own, and with a file system that it can only read. systemd.exec(5).
 */
const confinement = [
  'DynamicUser=yes',
  'CapabilityBoundingSet=',
  'NoNewPrivileges=yes',
  'PrivateNetwork=yes',
  'PrivateDevices=yes',
  'PrivateTmp=yes',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'ProtectProc=invisible',
  'ProtectClock=yes',
  'ProtectControlGroups=yes',
  'ProtectHostname=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'InaccessiblePaths=-/etc/landfall -/var/lib/landfall -/var/lib/docker -/var/log',
  // Releases are root's alone; of all that is below /opt it sees the two files that it is made of.
  'TemporaryFileSystem=/opt:ro',
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'LockPersonality=yes',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'SystemCallFilter=~@privileged @resources',
  'MemoryMax=160M',
  'TasksMax=32',
  'LimitNOFILE=256',
  'Nice=10',
  'OOMScoreAdjust=900',
  'StandardOutput=null',
];

/**
 * Shows the page at `http://<address>/` until {@link stopPage}. It outlives this program, so a run
 * that was interrupted finds it again. Where port 80 is taken, or systemd cannot confine a process
 * on this machine, there is no page; the first boot does not need one.
 * @returns whether the page is there
 */
export async function startPage(host: Host, program: Program = thisProgram()): Promise<boolean> {
  try {
    return await start(host, program);
  } catch (error) {
    if (error instanceof LandfallError) return false;
    throw error;
  }
}

async function start(host: Host, program: Program): Promise<boolean> {
  if (await isActive(host, `${unit}.socket`)) return true;
  await stopPage(host);
  const visible = `BindReadOnlyPaths=${program.node} ${program.script}`;
  const properties = [...confinement, visible].map((property) => `--property=${property}`);
  return (
    (await host.succeeds('systemd-run', [
      '--quiet',
      '--collect',
      `--unit=${unit}`,
      '--description=Landfall: the page of the first boot',
      '--socket-property=ListenStream=80',
      '--socket-property=BindIPv6Only=both',
      ...properties,
      program.node,
      program.script,
      'serve-page',
      host.path(pageFile),
    ])) && (await answersOrStops(host))
  );
}

/** Gives port 80 back. Nothing happens where there is no page. */
export async function stopPage(host: Host): Promise<void> {
  const units = [`${unit}.socket`, `${unit}.service`];
  await host.succeeds('systemctl', ['stop', ...units]);
  await host.succeeds('systemctl', ['reset-failed', ...units]);
}

function thisProgram(): Program {
  return { node: process.execPath, script: process.argv[1] ?? '' };
}

/** The first request starts the process, so whether it can run shows only now. */
async function answersOrStops(host: Host): Promise<boolean> {
  try {
    const answer = await host.outside.measure(() =>
      fetch('http://127.0.0.1/', { signal: AbortSignal.timeout(10_000), redirect: 'manual' }),
    );
    await answer.body?.cancel();
    if (answer.ok) return true;
  } catch {
    // Said by the return value.
  }
  await stopPage(host);
  return false;
}
