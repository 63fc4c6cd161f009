import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { OptionsOf } from '#cli/options-of.ts';
import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import type { SmokeTarget } from '#smoke/target.ts';
import { speakAs } from '../base/language.ts';
import type { CommandContext } from './context.ts';

const example = `
Example:
  landfall smoke --site site.yaml
  landfall smoke --site site.yaml --address 203.0.113.7    before the DNS record exists

Tests that need local access are skipped; run \`sudo landfall smoke\` on the server for all tests.
The tests connect to closed ports. After four runs in ten minutes, the server may ban your address
for an hour, unless you are logged in over SSH.
`;

/** `landfall smoke`: tests a running server from outside. */
export function smokeCommand(context: CommandContext) {
  return definition().action((flags) => smoke(context, flags));
}

const definition = () =>
  new Command('smoke')
    .description('test a running server from this machine')
    .option('--site <file>', 'site of the server', 'site.yaml')
    .option(
      '--address <address>',
      'address of the server (default: the DNS record of its host name)',
    )
    .option('--json', 'print the results as JSON')
    .option('--junit <file>', 'also write the results as JUnit XML')
    .addHelpText('after', example);

type SmokeFlags = OptionsOf<typeof definition>;

/** Runs the tests and prints their results. @throws LandfallError SMOKE_FAILED */
async function smoke({ cwd, stdout }: CommandContext, flags: SmokeFlags): Promise<void> {
  const { junitReport } = await import('#smoke/junit.ts');
  const { runSmoke } = await import('#smoke/run-smoke.ts');
  const { smokeTable } = await import('#smoke/table.ts');
  const { readSite } = await import('../inputs/config/site.ts');
  const site = await readSite(resolve(cwd, flags.site));
  await speakAs(site, flags);
  const results = await runSmoke(await targetOf(site, flags.address));
  if (flags.junit) await writeFile(resolve(cwd, flags.junit), junitReport(results));
  const table = smokeTable(results);
  stdout.write(`${flags.json ? JSON.stringify(results, null, 2) : table}\n`);
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  if (failed.length === 0) return;
  throw new LandfallError('SMOKE_FAILED', `${failed.length} smoke tests failed`, {
    hint: {
      en: 'Follow the advice of each failed test above.',
      zh: '按上面每项失败测试的提示处理。',
    },
  });
}

async function targetOf(site: Site, address: string | undefined): Promise<SmokeTarget> {
  const { isIP } = await import('node:net');
  const { servedHosts } = await import('#contract/site/enabled.ts');
  const { gatewayAddress } = await import('#contract/site/network/public-ports.ts');
  const [name] = Object.values(servedHosts(site));
  const known = address ?? gatewayAddress(site) ?? name;
  if (known === undefined) {
    const message = 'the address of the server is unknown: the site has no host name';
    throw new LandfallError('USAGE', message, {
      hint: {
        en: 'Add the address, for example --address 203.0.113.7',
        zh: '加上地址，例如 --address 203.0.113.7',
      },
    });
  }
  const gateway = isIP(known) === 0 ? await addressOf(known) : known;
  return { site, bareHost: known, gateway };
}

async function addressOf(name: string): Promise<string> {
  const { lookup } = await import('node:dns/promises');
  try {
    return (await lookup(name)).address;
  } catch (cause) {
    throw new LandfallError('NETWORK_UNREACHABLE', `${name} does not resolve`, {
      hint: {
        en: "Create the DNS record from the server's report, or use --address.",
        zh: '按服务器报告添加 DNS 记录，或用 --address。',
      },
      cause,
    });
  }
}
