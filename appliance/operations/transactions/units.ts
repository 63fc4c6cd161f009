import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { program } from '#contract/bundle/bundle-paths.ts';
import { nodeBinary, updateEventsFile } from '#contract/server-paths.ts';
import { isEngineNode } from '#contract/site/enabled.ts';
import { enginePort } from '#contract/site/engines/engine-node.ts';
import type { Site } from '#contract/site/site.ts';
import { readJson } from '#contract/text/json.ts';
import { removeFile, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import type { RunLock } from '../../server/host/lock/run-lock.ts';
import { install, reloadUnits, type Service, unitFileOf } from '../../server/host/service.ts';
import { transactionStates } from '../../server/records/transaction.ts';

// What an update has on the server while it is applied: the unit of the driver, its events, closed ports.

/** The unit that applies an update. It is enabled while a transaction is open. */
const driverUnit = 'landfall-update.service';

/**
 * Returns the unit with the program of the release that is being replaced: it stays the same until the
 * update ends, also after a power cut.
 * @param folder absolute path of that release
 */
function driverService(folder: string): Service {
  const text = `[Unit]
Description=Landfall update
Documentation=man:landfall(8)
Wants=network-online.target
After=network-online.target docker.service
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=${folder}/${nodeBinary} ${folder}/${program} apply-transaction
Environment=HOME=/root
Restart=on-failure
RestartSec=5
KillMode=control-group
TimeoutStopSec=30

[Install]
WantedBy=multi-user.target
`;
  return {
    files: [{ path: unitFileOf(driverUnit), text }],
    units: [{ name: driverUnit }],
  };
}

/** Starts the unit with an empty list of events, and returns while it runs. @param lock which the unit takes */
export async function startDriver(host: Host, folder: string, lock: RunLock): Promise<void> {
  await beginEvents(host);
  await lock.release();
  await install(host, driverService(folder));
  // The unit must be on disk before the server changes.
  await host.run('sync', []);
  await host.run('systemctl', ['start', '--no-block', driverUnit]);
}

/** Removes the unit, whose program calls this, so it is not stopped. */
export async function removeDriver(host: Host): Promise<void> {
  await host.run('systemctl', ['disable', '--quiet', driverUnit], { accept: [1] });
  await removeFile(host, unitFileOf(driverUnit));
  await reloadUnits(host);
}

const unit = 'landfall-closed.service';
const tableFile = 'etc/landfall/closed.nft';
const table = 'inet landfall_closed';

/**
 * Rejects the first server, so that it does not wait. After the table of the firewall, which drops others,
 * and before Docker's destination NAT.
 */
const fromOutside = `  chain arriving {
    type filter hook prerouting priority -140; policy accept;
    iifname != "lo" fib daddr type local tcp dport ${enginePort} reject with tcp reset
  }
`;

/**
 * Returns the service that closes the loopback ports of the chat UI and of Ollama during an update, for all
 * but root, whose tests use them. SSH tunnels end there. On an engine node it closes the port of the
 * gateway for the first server, which uses another node then. Its unit loads the table before Docker starts
 * containers, also after a power cut.
 */
export function closedPorts({ ports, role }: Pick<Site, 'ports' | 'role'>): Service {
  const isNode = isEngineNode({ role });
  const rule = `oifname "lo" tcp dport { ${isNode ? enginePort : ports.ui}, ${ports.engine} } meta skuid != 0`;
  return {
    files: [
      {
        path: tableFile,
        text: `# Made by landfall for an update, and removed at its end.
table ${table}
delete table ${table}
table ${table} {
  chain output {
    type filter hook output priority -150; policy accept;
    ${rule} reject with tcp reset
  }
${isNode ? fromOutside : ''}}
`,
      },
      {
        path: unitFileOf(unit),
        text: `[Unit]
Description=Landfall: closed for an update
DefaultDependencies=no
After=local-fs.target nftables.service
Before=network-pre.target docker.service shutdown.target
Conflicts=shutdown.target

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=nft --file /${tableFile}
ExecStop=-nft delete table ${table}

[Install]
WantedBy=sysinit.target
`,
      },
    ],
    units: [{ name: unit, restart: 'always' }],
  };
}

/** What an update does at a moment. */
const eventSchema = z.object({
  at: z.iso.datetime(),
  state: z.enum(transactionStates),
  /** A line of a stage; undefined when the state begins. */
  text: z.string().optional(),
});
type UpdateEvent = z.infer<typeof eventSchema>;

/** Starts an empty list of events. */
export async function beginEvents(host: Host): Promise<void> {
  await writeText(host, updateEventsFile, '');
}

/** Adds an event, for those who follow the update. A failure does not matter to the update. */
export async function addEvent(host: Host, event: Omit<UpdateEvent, 'at'>): Promise<void> {
  const line = `${JSON.stringify({ at: new Date().toISOString(), ...event })}\n`;
  const path = host.path(updateEventsFile);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    await appendFile(path, line);
  } catch {
    // The disk of /run is full.
  }
}

/** Returns the events after the first ones. @param known number of events that the caller has */
export async function eventsAfter(host: Host, known: number): Promise<UpdateEvent[]> {
  const text = await readFile(host.path(updateEventsFile), 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .slice(known)
    .flatMap((line) => readJson(eventSchema, line) ?? []);
}
