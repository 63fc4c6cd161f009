import { commandFile, installedMark } from '#contract/server-paths.ts';
import { sandbox } from './sandbox.ts';
import { type ManagedFile, type Service, unitFileOf } from './service.ts';

/** A command of ours that a timer of systemd runs. */
interface ScheduledJob {
  /** Name of its timer without suffix. */
  readonly name: string;
  /** Name of its service without suffix; by default that of the timer. */
  readonly service?: string;
  /** What the service is, and how its timer is described. */
  readonly descriptions: readonly [service: string, timer: string];
  /** Settings of the timer (systemd.timer(5)). */
  readonly calendar: readonly string[];
  /** Such as `backup run --scheduled`. */
  readonly command: string;
  /** Settings of a job that needs neither Docker nor other units; see {@link sandbox}. */
  readonly sandbox?: { readonly capabilities: string; readonly writes: string };
  /** Whether it also runs before the first boot has completed. */
  readonly isEarly?: boolean;
}

/** Returns the units of jobs. Their timers are restarted when they change. */
export function scheduledJobs(...jobs: ScheduledJob[]) {
  return {
    files: jobs.flatMap(filesOf),
    units: jobs.map(({ name }) => ({ name: `${name}.timer`, restart: 'always' as const })),
  } satisfies Service;
}

function filesOf({ name, service = name, ...job }: ScheduledJob): ManagedFile[] {
  const calendar = [...(service === name ? [] : [`Unit=${service}.service`]), ...job.calendar];
  const timer = `[Unit]
Description=${job.descriptions[1]}

[Timer]
${calendar.join('\n')}

[Install]
WantedBy=timers.target
`;
  return [
    { path: unitFileOf(`${service}.service`), text: serviceText(job) },
    { path: unitFileOf(`${name}.timer`), text: timer },
  ];
}

/** A long job must not delay the next one. A job without a sandbox starts other units and uses Docker. */
function serviceText(job: Omit<ScheduledJob, 'name' | 'service'>): string {
  const isShort = job.isEarly || job.sandbox !== undefined;
  const [page, limit] = isShort
    ? ['systemd.timer(5)', job.isEarly ? '15min' : '10min']
    : ['landfall(8)', '20h'];
  const condition = job.isEarly ? '' : `ConditionPathExists=/${installedMark}\n`;
  return `[Unit]
Description=${job.descriptions[0]}
Documentation=man:${page}
Wants=network-online.target
After=network-online.target${job.sandbox ? '' : ' docker.service'}
${condition}
[Service]
Type=oneshot
ExecStart=/${commandFile} ${job.command}
${isShort ? '' : 'Environment=HOME=/root\n'}TimeoutStartSec=${limit}
Nice=10
${job.sandbox ? sandboxOf(job.sandbox) : ''}`;
}

/** V8 needs executable memory, so MemoryDenyWriteExecute is not set. */
function sandboxOf({ capabilities, writes }: NonNullable<ScheduledJob['sandbox']>): string {
  return `CapabilityBoundingSet=${capabilities}
RuntimeDirectory=landfall
RuntimeDirectoryPreserve=yes
ReadWritePaths=${writes}
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictSUIDSGID=yes
${sandbox.join('\n')}
MemoryMax=512M
TasksMax=64
`;
}
