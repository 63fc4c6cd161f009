import { lookup } from 'node:dns/promises';
import { writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { servedHosts } from '#contract/site/served-hosts.ts';
import type { Site } from '#contract/site/site.ts';
import { junitReport } from '#smoke/junit.ts';
import { runSmoke } from '#smoke/run-smoke.ts';
import { smokeTable } from '#smoke/table.ts';
import type { Target } from '#smoke/target.ts';
import { readSite } from '../config/site.ts';
import type { CommandContext } from './context.ts';

/** Options of `landfall smoke`. */
export interface SmokeFlags {
  readonly site: string;
  readonly address?: string;
  readonly json?: boolean;
  readonly junit?: string;
}

/** Runs the tests and prints their results. @throws LandfallError SMOKE_FAILED */
export async function smokeAction(context: CommandContext, flags: SmokeFlags): Promise<void> {
  const site = await readSite(resolve(context.cwd, flags.site));
  const results = await runSmoke(await targetOf(site, flags.address));
  if (flags.junit) await writeFile(resolve(context.cwd, flags.junit), junitReport(results));
  const table = smokeTable(results);
  context.stdout.write(`${flags.json ? JSON.stringify(results, null, 2) : table}\n`);
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  if (failed.length === 0) return;
  throw new LandfallError('SMOKE_FAILED', `${failed.length} smoke tests failed`, {
    hint: 'Follow the advice of each failed test above.',
  });
}

async function targetOf(site: Site, address: string | undefined): Promise<Target> {
  const [name] = Object.values(servedHosts(site));
  const known = address ?? name;
  if (known === undefined) {
    throw new LandfallError(
      'USAGE',
      'the address of the server is unknown: the site has no host name',
      {
        hint: 'Add the address, for example --address 203.0.113.7',
      },
    );
  }
  const gateway = isIP(known) === 0 ? await addressOf(known) : known;
  return { site, bareHost: known, gateway };
}

async function addressOf(name: string): Promise<string> {
  try {
    return (await lookup(name)).address;
  } catch (cause) {
    throw new LandfallError('NETWORK_UNREACHABLE', `${name} does not resolve`, {
      hint: "Create the DNS record from the server's report, or use --address.",
      cause,
    });
  }
}
