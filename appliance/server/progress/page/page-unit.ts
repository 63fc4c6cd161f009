import { LandfallError } from '#contract/errors.ts';
import { pageFile } from '#contract/server-paths.ts';
import type { Host } from '../../host/host.ts';
import { sandbox } from '../../host/sandbox.ts';
import { isActive } from '../../host/service.ts';

/** Absolute paths with which systemd starts this program. */
interface Program {
  readonly node: string;
  readonly script: string;
}

const unit = 'landfall-page';

/**
 * The sandbox of the page's server. systemd opens port 80 and passes the socket, so the process runs
 * as a dynamic user without capabilities, without a network and with a read-only file system; see
 * systemd.exec(5).
 */
const confinement = [
  ...sandbox,
  'DynamicUser=yes',
  'CapabilityBoundingSet=',
  'PrivateNetwork=yes',
  'ProtectProc=invisible',
  'InaccessiblePaths=-/etc/landfall -/var/lib/landfall -/var/lib/docker -/var/log',
  // Only root can read releases. Of /opt, the process sees only its own two files.
  'TemporaryFileSystem=/opt:ro',
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6',
  'SystemCallFilter=~@privileged @resources',
  'MemoryMax=160M',
  'TasksMax=32',
  'LimitNOFILE=256',
  'Nice=10',
  'OOMScoreAdjust=900',
  'StandardOutput=null',
];

/**
 * Serves the page at `http://<address>/` until {@link stopPage}. The server outlives this process, so
 * the next run reuses it. If port 80 is in use or systemd cannot sandbox a process on this machine,
 * there is no page; the first boot does not need it.
 * @returns whether the page is served
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
      '--description=Landfall: first boot progress page',
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

/** Stops the page and releases port 80. Idempotent. */
export async function stopPage(host: Host): Promise<void> {
  const units = [`${unit}.socket`, `${unit}.service`];
  await host.succeeds('systemctl', ['stop', ...units]);
  await host.succeeds('systemctl', ['reset-failed', ...units]);
}

function thisProgram(): Program {
  return { node: process.execPath, script: process.argv[1] ?? '' };
}

/** Sends the first request, which starts the process. Stops the page if that fails. */
async function answersOrStops(host: Host): Promise<boolean> {
  try {
    const answer = await host.outside.measure(() =>
      fetch('http://127.0.0.1/', { signal: AbortSignal.timeout(10_000), redirect: 'manual' }),
    );
    await answer.body?.cancel();
    if (answer.ok) return true;
  } catch {
    // The return value reports it.
  }
  await stopPage(host);
  return false;
}
