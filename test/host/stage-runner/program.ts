import { readFileSync, writeFileSync } from 'node:fs';
import { LandfallError } from '#contract/errors.ts';
import { confirmChanges } from '../../../appliance/commands/confirm.ts';
import {
  connect,
  storedMembership,
  writeMembership,
} from '../../../appliance/nodes/swarm/membership.ts';
import { handshakes } from '../../../appliance/nodes/swarm/wireguard.ts';
import { Host } from '../../../appliance/server/host/host.ts';
import { runCommand } from '../../../appliance/server/host/run/command.ts';
import { inspectServer } from '../../../appliance/server/host/server.ts';
import { changeUnderUndo, undoUnconfirmed } from '../../../appliance/server/host/undo/undo.ts';
import type { Stage } from '../../../appliance/server/stage/stage.ts';
import { banStage } from '../../../appliance/stages/ban/stage.ts';
import { changeOpening } from '../../../appliance/stages/firewall/change-opening.ts';
import { firewallStage } from '../../../appliance/stages/firewall/stage.ts';
import { imagesStage } from '../../../appliance/stages/images/stage.ts';
import { kernelStage } from '../../../appliance/stages/kernel/stage.ts';
import { preflightStage } from '../../../appliance/stages/preflight/stage.ts';
import { routeStage } from '../../../appliance/stages/route/stage.ts';
import { undoRoute } from '../../../appliance/stages/route/undo-route.ts';
import { runtimeStage } from '../../../appliance/stages/runtime/stage.ts';
import { sshStage } from '../../../appliance/stages/ssh/stage.ts';
import { usersStage } from '../../../appliance/stages/users/stage.ts';
import { contextFor } from '../../appliance/context.ts';
import type { StageResult } from './stage-runner.ts';

/*
 * program.mjs <action> [argument]
 *
 * Runs one action on a server under test, with the real code. Prints the result as JSON. Site and
 * release are in the same folder.
 */
const stages: Readonly<Record<string, Stage>> = {
  users: usersStage,
  ssh: sshStage,
  firewall: firewallStage,
  ban: banStage,
  preflight: preflightStage,
  route: routeStage,
  kernel: kernelStage,
  images: imagesStage,
  runtime: runtimeStage,
};

const [action = '', argument = ''] = process.argv.slice(2);
const host = new Host('/', runCommand);
const read = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const context = contextFor(host, {
  site: read('site.json'),
  release: read('release.json'),
  // Facts of this server: what is allowed depends on whether the kernel is shared.
  server: await inspectServer('/'),
});

const actions: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  check: () => stageOf(argument).check(context),
  apply: async () => {
    await undoUnconfirmed(host);
    for (const name of argument.split(',')) {
      await stageOf(name).apply(context);
      await stageOf(name).prove(context);
    }
    return [];
  },
  prove: async () => {
    await stageOf(argument).prove(context);
    return [];
  },
  /** Undoes the route; returns the files that were changed since. */
  undoRoute: () => undoRoute(context),
  /** A change that is visible as a file and is undone after a number of seconds. */
  change: async () => {
    const undo = { name: 'mark', script: 'rm -f /var/tmp/mark', seconds: Number(argument) };
    await changeUnderUndo(host, undo, async () => writeFileSync('/var/tmp/mark', ''));
    return [];
  },
  connect: async () => {
    await writeMembership(host, read('token.json'));
    const membership = await storedMembership.read(host);
    if (membership) await connect(host, membership);
    return [];
  },
  /** The public keys of the peers of WireGuard, each with the time of its last connection. */
  handshakes: async () => [...(await handshakes(host))].map((pair) => pair.join(' ')),
  confirm: () => confirmChanges(host, process.pid),
  allow: async () => {
    await changeOpening(host, context.site, 'allow', argument);
    return [];
  },
  deny: async () => {
    await changeOpening(host, context.site, 'deny', argument);
    return [];
  },
};

const result = await attempt(actions[action]);
console.log(JSON.stringify(result));
process.exitCode = result.error ? 1 : 0;

async function attempt(run: (typeof actions)[string] | undefined): Promise<StageResult> {
  const { said, warned } = context;
  try {
    if (!run) throw new Error(`unknown action: ${action}`);
    return { lines: await run(), said, warned };
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    const { code, message, problems } = error;
    return { lines: [], said, warned, error: { code, message, problems } };
  }
}

function stageOf(name: string): Stage {
  const stage = stages[name];
  if (!stage) throw new Error(`unknown stage: ${name}`);
  return stage;
}
