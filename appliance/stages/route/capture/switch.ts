import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { clientStateFile } from '#contract/server-paths.ts';
import type { Opening } from '#contract/site/opening.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Host } from '../../../server/host/host.ts';
import { probeFromOutside } from '../../../server/host/outside/probe.ts';
import { install, isActive, isInPlace } from '../../../server/host/service.ts';
import { sshProbeTargets, unreachableSsh } from '../../../server/host/sshd/ssh-from-outside.ts';
import {
  changeUnderUndo,
  refuseUnconfirmed,
  restoreScript,
} from '../../../server/host/undo/undo.ts';
import type { Context } from '../../../server/stage/stage.ts';
import { bringUp, noProxyWorks } from '../client/bring-up.ts';
import { everyDestination, type ProbeClient } from '../client/probe.ts';
import { clientUnit } from '../client/render.ts';
import { enterState, importedProxies } from '../client/state.ts';
import { archiveFiles } from '../probe-destinations.ts';
import { poll, reach } from '../reach.ts';
import { captureFiles, captureService } from './files.ts';
import { capture } from './names.ts';
import { offLines } from './render.ts';
import { captureState } from './state.ts';

interface UndoOptions {
  /** The openings of the firewall; replies from their UDP ports are not captured. */
  readonly openings: readonly Opening[];
  readonly probe?: ProbeClient;
  readonly prove?: ProveCapture;
}

/**
 * Captures all connections of an installed server and its containers, and reverts this after
 * {@link capture.confirmWithin} seconds unless a new login confirms it. A proxy is tested first, without a TUN
 * interface.
 * @returns whether a confirmation is needed; false if nothing changed
 * @throws LandfallError UNCONFIRMED, SERVER_UNFIT, ROUTE_BLOCKED; nothing is captured then
 */
export async function switchCapture(context: Context, options: UndoOptions): Promise<boolean> {
  const { host, site, report } = context;
  const { openings, probe = everyDestination, prove = proveCapture } = options;
  await refuseUnconfirmed(host, capture.undo, 'the capture of connections');
  const before = await captureState(host);
  const service = await captureService(host, site, openings);
  if (before === 'active' && (await isInPlace(host, service))) return false;
  if (before === 'off') await refuseConflicts(host);
  refuseWithoutTun(host);
  const node = await findProxy(context, probe);
  report.say(inLanguage({ en: 'capturing all connections', zh: '接管所有连接' }));
  const undo = {
    name: capture.undo,
    script: await renderCaptureUndo(host, before === 'active' || before === 'paused'),
    seconds: capture.confirmWithin,
    subject: { en: 'the capture of connections', zh: '接管全部连接的更改' },
  };
  await changeUnderUndo(host, undo, async () => {
    await enterState(host, 'provisional', node);
    await install(host, service);
    await host.run('systemctl', ['restart', clientUnit('active')]);
    await prove(context);
  });
  return true;
}

function refuseWithoutTun(host: Host): void {
  if (existsSync(host.path('dev/net/tun'))) return;
  throw new LandfallError('SERVER_UNFIT', 'this server has no /dev/net/tun', {
    hint: {
      en: 'Load the kernel module with `sudo modprobe tun`, or set route.capture to none.',
      zh: '用 `sudo modprobe tun` 载入内核模块，或把 route.capture 设为 none。',
    },
  });
}

/** Returns the name of a proxy that works, which the client now uses. */
async function findProxy(context: Context, probe: ProbeClient): Promise<string | null> {
  const proxies = (await importedProxies(context.host)) ?? [];
  const search = { probe, tries: 16, mayConnectDirectly: false };
  const after = await bringUp(context, proxies, search);
  if (after.state === 'active') return after.node;
  throw noProxyWorks(after);
}

/**
 * Rejects a server where another program uses the numbers of the capture: turning it off removes them.
 * Call it only while nothing is captured.
 * @throws LandfallError SERVER_UNFIT
 */
async function refuseConflicts(host: Host): Promise<void> {
  const [v4, v6, link] = [
    await host.run('ip', ['-4', 'rule', 'show'], { accept: [2] }),
    await host.run('ip', ['-6', 'rule', 'show'], { accept: [2] }),
    await host.run('ip', ['link', 'show', capture.link], { accept: [1] }),
  ];
  const rules = `${v4.stdout}\n${v6.stdout}`.split('\n').filter(isOurs);
  const found = [
    ...rules.map((line) => `ip rule ${line.trim()}`),
    ...(link.code === 0 ? [`the interface ${capture.link}`] : []),
  ];
  if (found.length === 0) return;
  throw new LandfallError('SERVER_UNFIT', 'another program of this server redirects its routes', {
    hint: {
      en: 'Stop the other proxy client or VPN, then run `sudo landfall route on`.',
      zh: '停止其他代理客户端或 VPN，再运行 `sudo landfall route on`。',
    },
    problems: [...new Set(found)].map((message) => ({ message })),
  });
}

function isOurs(line: string): boolean {
  const pref = Number(line.split(':')[0]);
  const isPref = pref >= capture.ruleByMark && pref <= capture.clientRules + 10;
  return (
    isPref || pref === capture.ruleAfterClient || line.includes(`lookup ${capture.clientTable}`)
  );
}

/** The link that `systemctl enable` creates. */
const enabled = `etc/systemd/system/sysinit.target.wants/${capture.unit}`;
const client = clientUnit('active');

/**
 * Renders the script that restores the current state: the files, the client, then rules and table. At
 * boot it runs before the capture and the client start: the first command has no effect on the client
 * then, and the second one cancels the start of the capture.
 * @param isOn whether the current state captures connections
 */
export async function renderCaptureUndo(host: Host, isOn: boolean): Promise<string> {
  const files = await Promise.all(captureFiles.map((path) => restoreScript(host, path)));
  const folders = captureFiles.filter((path) => path.includes('.d/')).map(dirname);
  const restore = `${files.join('')}${await restoreScript(host, clientStateFile, 0o600)}systemctl daemon-reload
`;
  if (isOn) {
    return `${restore}sh ${host.path(capture.onScript)} || failed=yes
systemctl try-restart ${client}`;
  }
  return `${restore}systemctl try-restart ${client}
systemctl stop ${capture.unit} 2>/dev/null
${offLines(host)}rm -f ${host.path(enabled)}
rm -rf ${host.path(capture.folder)}
rmdir --ignore-fail-on-non-empty ${folders.map((path) => host.path(path)).join(' ')} 2>/dev/null
systemctl daemon-reload`;
}

/** Verifies a capture. @throws LandfallError ROUTE_BLOCKED */
export type ProveCapture = (context: Context) => Promise<void>;

/** The client adds its routes some milliseconds after systemd reports its start. */
const attempts = 25;
/** Documentation addresses (RFC 5737, RFC 3849), which stand for any address of the internet. */
const anywhere = { 4: '192.0.2.1', 6: '2001:db8::1' } as const;

/**
 * Verifies what the server can verify: packets to the internet enter the TUN interface and marked ones
 * do not, SSH is reachable from another network, and each package archive responds through the TUN
 * interface. Only a new login proves that the administrator has access.
 * @throws LandfallError ROUTE_BLOCKED with all problems
 */
export const proveCapture: ProveCapture = async (context) => {
  const { host } = context;
  if (!(await isCapturing(host))) throw failed([{ message: await whyNot(host) }]);
  const insidePaths = await repliesInside(host);
  const ssh = unreachableSsh(await probeFromOutside(host, await sshProbeTargets(host)));
  const archives = await archiveFiles(context);
  const direct = { ...context.site, route: { mode: 'direct' as const } };
  const reached = await host.outside.measure(() => reach(direct, archives));
  const blocked = reached.flatMap(({ failure }) => failure ?? []);
  const problems = [...insidePaths, ...ssh, ...blocked.map(({ message }) => ({ message }))];
  if (problems.length > 0) throw failed(problems);
};

async function isCapturing(host: Host): Promise<boolean> {
  const enters = async () => (await deviceTo(host, 4)) === capture.link || undefined;
  return (await host.outside.measure(() => poll(attempts, enters))) ?? false;
}

async function whyNot(host: Host): Promise<string> {
  const runs = await isActive(host, clientUnit('active'));
  return runs
    ? 'packets of this server do not enter the TUN interface'
    : 'the proxy client does not start with a TUN interface';
}

/** Returns a problem for each IP version whose replies would enter the TUN interface. */
async function repliesInside(host: Host): Promise<Problem[]> {
  const devices = [await deviceTo(host, 4, capture.mark), await deviceTo(host, 6, capture.mark)];
  return devices.includes(capture.link)
    ? [{ message: 'replies to connections from outside enter the TUN interface' }]
    : [];
}

/** Returns the interface of packets to the internet; undefined without a route. */
async function deviceTo(host: Host, version: 4 | 6, mark?: number): Promise<string | undefined> {
  const marked = mark === undefined ? [] : ['mark', `0x${mark.toString(16)}`];
  const args = [`-${version}`, 'route', 'get', anywhere[version], ...marked];
  const { stdout } = await host.run('ip', args, { accept: [1, 2] });
  return / dev (\S+)/.exec(stdout)?.[1];
}

function failed(problems: readonly Problem[]): LandfallError {
  return new LandfallError('ROUTE_BLOCKED', 'the capture of connections does not work', {
    hint: {
      en: 'Check: sudo journalctl -u landfall-client@active.service. The change was undone.',
      zh: '检查：sudo journalctl -u landfall-client@active.service。更改已撤销。',
    },
    problems,
  });
}
